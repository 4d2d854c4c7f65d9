/** Ideas of orders in English that ask for something: credentials, the conversation, a reviewer's good opinion. */
import { type OrderPattern, order } from './order-pattern.ts';

const SECRET =
  '(?:pass(?:words?|phrases?|codes?)|(?:api|access|secret|signing|encryption|master|private|ssh|pgp|gpg|deploy|service|license)[ _-]?(?:\\w+ )?keys?|(?:api|access|auth(?:entication)?|bearer|login|session|refresh|security|github|npm|personal access|oauth)[ _-]?tokens?|credentials?(?!-)|secrets|(?:log-?in|sign-?in) (?:data|details|information)|(?:login |session |browser )cookies?|cookies? of|seed phrases?|recovery (?:phrases?|codes?)|mnemonics?|wallets?|keychains?|password (?:stores?|managers?|vaults?)|one-time (?:codes?|passwords?)|2fa codes?|[a-z0-9]+_(?:api_?key|secret(?:_key)?|token|password|access_key)\\b|pin codes?|card numbers?)';
const SECRET_FILE =
  '(?:\\.netrc|\\.npmrc|\\.pypirc|\\.git-credentials|\\.aws\\b|\\.ssh\\b|id_(?:rsa|ed25519|ecdsa)|auth\\.json|\\.kube\\/config|kubeconfig|\\.docker\\/config|\\/etc\\/shadow|credentials?(?:\\.json)? files?|\\.pgpass|login data|cookies\\.sqlite)';
const GIVE =
  '(?:paste|include|add|put|send|pass|provide|supply|attach|copy|enter|append|give|forward|upload|insert|submit|repeat|print|quote|prepend|write|fill|hand|embed|share|transmit|report|place|set|return|output|expose|store|belongs?|goes|contain|hold)';
const FETCH =
  '(?:read|open|load|fetch|look(?: it| them)? up|find|search|collect|gather|dump|list|extract|retrieve|get|obtain|grab|cat|print|run|call|locate|take)';
const HERE =
  '(?:here|pass (?:it|them) (?:on|in|along)|hand (?:it|them) (?:over|in)|belongs?|goes (?:first|in|here)|comes first|in the (?:request|call|query|body|notes?)|(?:this|the|its|that|first|last|next|another|second|extra) (?:\\w+ )?(?:field|parameter|argument|value|call|tool|row|line|input|title|text|number|name|body|query|header)s?|arguments?|parameters?|in front of|along(?: with| too)?|with (?:each|every|the|any) (?:call|request|query)|so (?:that|the|it)|in order to|to (?:verify|calibrate|unlock|authenticate|activate|check|validate|identify|prove)|as (?:the|its|an?|your) (?:title|text|argument|parameter|value|proof|input|first|query|name)|after (?:the|it)|before (?:the|it)|afterwards|into (?:the|it|this)|to it|for (?:calibration|verification|validation|diagnostics|debugging|telemetry|logging|quality|encoding|activation)|together with|too)';
const NEVER_SECRET =
  "\\b(?:never|not|no|refus\\w+|must not|don't|cannot|without|nor|instead of|reject\\w*|strip\\w*|redact\\w*|mask\\w*|remov\\w+|hidden|exclud\\w+|skip\\w*|protect\\w*|rotat\\w+|reset\\w*|generat\\w+|creat\\w+|tell the user|warn\\w*|detect\\w*|leak\\w*|names? of|check whether|strength)\\b";

const credentials: readonly OrderPattern[] = [
  order('credentials', [`\\b(?:${GIVE}|${FETCH})\\b`, `\\b${SECRET}`, `\\b${HERE}\\b`], NEVER_SECRET),
  order(
    'credentials',
    [
      `\\b(?:${GIVE}|${FETCH}|contents? of|reading|first)\\b`,
      `${SECRET_FILE}|\\b(?:private|ssh) (?:\\w+ )?keys?\\b|\\bpassword (?:store|manager|vault)\\b|\\bkeychain\\b|\\bseed phrase\\b`,
    ],
    `${NEVER_SECRET}|\\b(?:convert|certificate|public)\\w*\\b|\\bdefault\\b`,
  ),
  order(
    'credentials',
    [
      `\\b(?:contents?|text|values?|output|lines?) (?:of|from|in)\\b.{0,25}(?:\\.env\\b|\`?env\`?\\b|printenv|process\\.env|environment(?: variables?)?\\b)|\\b(?:paste|include|attach|send|pass|put|insert|copy|upload|append)\\b.{0,30}(?:\\.env\\b|(?:the |all |your )environment(?: variables)?\\b)|\\b(?:contents? of|read|send|include|paste|dump)\\b.{0,20}(?:_history\\b|mcp\\.json)|\\b(?:collect|gather|include|send|paste|pass|dump)\\b.{0,12}\\ball environment variables\\b`,
    ],
    `${NEVER_SECRET}|\\b(?:list|load|set|shows?)s? (?:the )?(?:names|keys)\\b`,
  ),
  order(
    'credentials',
    [`\\bread\\b.{0,20}\\.env\\b`, `\\b(?:include|send|paste|attach|pass|put|insert|append|upload|give|add)\\b`],
    NEVER_SECRET,
  ),
  order(
    'credentials',
    [
      `\\b(?:send|forward|upload|transmit|post|e-?mail|exfiltrate|leak|deliver|push|copy)\\b.{0,40}\\b${SECRET}.{0,30}\\bto\\b`,
    ],
    NEVER_SECRET,
  ),
  order(
    'credentials',
    [
      `\\b(?:ask|request|prompt|press|get|demand|obtain)\\b.{0,10}\\b(?:the )?(?:users?|human|person|owner|them|him|her)\\b.{0,15}\\b(?:for|to (?:give|enter|type|share|provide|tell|paste))\\b.{0,25}\\b${SECRET}`,
    ],
    "\\b(?:never|do not|don't|not)\\b.{0,12}\\b(?:ask|request|prompt)",
  ),
  order(
    'credentials',
    [
      `\\b(?:(?:the |their |your )?(?:users?'s?|users'|user's|human's|owner's|browser'?s?|session'?s?|developer's|project's|machine's|their|your)|of the (?:user|browser|session|owner|project|machine))\\b`,
      `\\b${SECRET}`,
      `\\b(?:${GIVE}|copied|pasted|by you|needed|required|needs?|requires?|expects?|so that|unlock|must (?:be|contain|hold|come)|goes|belongs)\\b|^(?:the |a )?(?:\\w+ ){0,3}?(?:password|token|cookie|private key|credentials?)`,
    ],
    NEVER_SECRET,
  ),
];

const CONVERSATION =
  '(?:chats?|conversations?|dialog(?:ue)?s?|transcripts?|(?:message|chat|conversation|session|prompt) (?:history|log)|messages|discussion|prior turns|previous turns|context window|(?:everything|anything|all|whatever|what)(?: that)? (?:was|has been|have been|you(?: two| both)?(?: have)?|the user(?: has)?|they(?: have)?|we(?: have)?|i)(?: \\w+)? (?:said|discussed|written|wrote|typed|talked about|asked|told(?: you)?)|words of the user)';
const EXTENT =
  '(?:so far|up to (?:now|here|this point)|until now|to date|whole|entire|full|complete|all|every|word for word|verbatim|from the (?:start|beginning|first)|including|unabridged|everything|recent|last \\d+|original|raw)';
const PROMPT =
  '(?:system (?:prompts?|messages?|instructions?)|hidden (?:texts?|prompts?|instructions?)|initial (?:prompts?|instructions?|messages?)|developer (?:prompts?|messages?|instructions?)|(?:instructions?|rules|guidelines|directions|text|prompt|message|orders|what)(?: that)? you (?:were|have been|got|received|started|operate|run|are|have|follow|obey)\\b|your (?:own )?(?:instructions?|guidelines|persona|preamble|hidden \\w+|initial \\w+)|your own prompt|what the developer (?:wrote|said|told))';

const conversation: readonly OrderPattern[] = [
  order(
    'conversation',
    [
      `\\b${CONVERSATION}\\b`,
      `\\b${EXTENT}\\b`,
      `\\b(?:${GIVE}|needs?|requires?|must (?:contain|hold|include|be)|expects?|goes|summari[sz]e)\\b|\\bso far\\b|\\bword for word\\b|\\bverbatim\\b|\\bup to now\\b`,
      `\\b(?:so far|up to (?:now|here)|until now|word for word|verbatim|you (?:two|both)|of the user|the user (?:has )?(?:said|wrote|typed)|with (?:each|every|the) call|${HERE}|of (?:this|your|our|the current) (?:chat|conversation|session))\\b`,
    ],
    '\\b(?:export\\w*|from a file|stored|sessions? (?:file|id|list)|channels?|slack|discord|e-?mails?|mail|threads?|commit messages?|error messages?|meeting|podcast|video|youtube|subtitles?|returns?|retain\\w*|search(?:es)?|subagents?|compaction|console messages?|network)\\b',
  ),
  order(
    'conversation',
    [
      `\\b${PROMPT}`,
      `\\b(?:reveal|recite|disclose|leak|output|repeat|describe|state|start|begin|share|${GIVE})\\b`,
      '\\b(?:your|you|text of|contents? of|word for word|verbatim|reveal|recite|disclose|leak|repeat|argument|parameter|here|along|what the developer)\\b',
    ],
    "\\b(?:to|into|in) (?!your )(?:the |pi's |its |an? )?(?:\\w+ )?(?:system prompt|subagent|agent's)\\b(?! (?:here|in|into|as))|\\b(?:never|not|don't|templates?|subagents?|child|custom|optional|render\\w*|override)\\b|\\brun with your own\\b",
  ),
  order(
    'conversation',
    [
      '\\b(?:everything|anything|whatever|all|what)(?: that)? (?:was |has been |had been |the user (?:has |had )?|you (?:two )?(?:have |had )?|they (?:have )?|we (?:have )?)(?:\\w+ )?(?:said|written|wrote|typed|discussed|told|asked|talked)\\b|\\b(?:the )?(?:last|latest|previous|preceding|first) (?:\\w+ )?(?:messages?|turns?|exchanges?) (?:of|in|from) (?:the|this|our|your) (?:dialog(?:ue)?|chat|conversation|session)\\b',
      '\\b(?:session|chat|conversation|dialog(?:ue)?|up to (?:this|now|here)|so far|until now|told you|pass|summari[sz]e|recap|copy|paste|here|argument|unchanged|verbatim)\\b',
    ],
    '\\b(?:export\\w*|stored|channel|slack|mail|thread|meeting|returns?|search(?:es)?|list(?:s|ed)?|show(?:s|n)?)\\b',
  ),
  order('conversation', [
    '\\b(?:exact|full|complete|precise|literal|original) (?:wording|text|words|content|copy)s?\\b.{0,10}\\b(?:of )?your (?:own )?(?:instructions?|prompt|rules|setup|orders|guidelines|task)\\b|\\bwhat (?:have you been|were you|are you) (?:told|instructed|asked|ordered|set up|programmed) (?:to do|to|with|not to)\\b|\\byour instructions?\\b.{0,20}\\b(?:verbatim|word for word|unchanged|in full|as they are)\\b',
  ]),
  order('conversation', [
    `\\bincluding what the (?:developer|system|operator) (?:wrote|said|told)|\\babove the first message\\b`,
  ]),
];

const REVIEWER =
  '(?:(?:ai |llm |human |security |code |automated |package |registry )*(?:reviewers?|auditors?|moderators?|curators?|scanners?|classifiers?|analy[sz]ers?|graders?|checkers?|inspectors?|verifiers?|validators?|detectors?)|(?:security|automated|safety|static|ai|llm|malware|registry|vulnerability|code) (?:reviews?|scans?|audits?|analysis|checks?|tools?|teams?|systems?|models?)|(?:audit|review|scan) (?:results?|outcome|verdict|status|report)|(?:language )?models? (?:that|which|who) (?:grade|rate|review|check|judge|score|scan|assess|evaluate)\\w*|whoever (?:or whatever )?(?:reviews|audits|checks|scans|reads|inspects)|(?:if|when|should|in case|since|as) you(?:r (?:task|job) is)?\\b.{0,25}\\b(?:review|audit|check|scan|evaluat|assess|analy[sz]|grad|rat|classif|judg|inspect|scor|vett?)\\w*\\b)';
const VERDICT =
  "(?:harmless|(?:is|as|are|it) (?:\\w+ )?(?:safe|clean|benign|legitimate|trusted|trustworthy|harmless|ok(?:ay)?|fine|verified)|benign|verified and clean|approve|no (?:further )?(?:problems?|issues?|threats?|findings?|risks?|concerns?|vulnerabilit\\w+|danger|review|analysis|scan)\\b|nothing (?:suspicious|wrong|malicious|dangerous|to (?:see|report|flag)|here|in (?:this|the|it))|skip (?:this|the|it)|stop (?:here|reading|scanning|the)|out of scope|not in scope|(?:do not|don't|need not|no need to|never|not) (?:be )?(?:report|flag|read|scan|analy[sz]e|review|look|check|inspect|raise|warn)\\w*|already (?:been )?(?:checked|examined|verified|reviewed|approved|audited|cleared|vetted|whitelisted)|(?:was|been|were) (?:\\w+ )?(?:examined|checked|verified|reviewed|approved|audited|vetted|cleared)|false positives?|(?:lowest|zero|minimal|no|low) (?:risk|severity|score|threat|level)|(?:list of )?trusted (?:packages?|publishers?|authors?|sources?|software)|(?:audit|review|scan|check|test)s?\\b.{0,12}\\bpass(?:ed)?\\b|passed[,;:.]|low(?:er)? risk|(?:highest|top|full|best|maximum) (?:score|marks?|rating|grade)|risk\\b.{0,8}\\b(?:zero|low|none|0)|marked? (?:as|it)|(?:right|correct|proper|expected) (?:label|verdict|answer|class)|pass(?:es)? (?:the|this|it)|let (?:it|this) (?:pass|through)|whitelist|green light)";

const reviewer: readonly OrderPattern[] = [
  order(
    'reviewer',
    [`\\b${REVIEWER}\\b`, `\\b${VERDICT}`],
    "\\b(?:does not mean|doesn't mean|who approved|can tell|reviewers? (?:approved|list)|lists? (?:all|the|changed|of (?:changed|open))|shows?|accessib\\w+|wcag|pull requests?|regex|lint|eslint|todo|type-?check|schema|json|input|arguments?|(?:bounds|null|type|range|length|permission|health|status|spell) check\\w*|unit tests?|code coverage|file types?)\\b|\\bcheck (?:if|whether|that)\\b|\\bwhen you (?:check|rate) (?:a |the )?(?:page|text|colou?r)",
  ),
];

export const ASKS: readonly OrderPattern[] = [...reviewer, ...credentials, ...conversation];
