/** Ideas of orders in English: those that put a tool above others, and the list of all. The text is in lower case. */
import { ASKS } from './ideas-en-asks.ts';
import { ABOUT_THE_USER } from './ideas-en-user.ts';
import { NOT_A_PERSON, type OrderPattern, order } from './order-pattern.ts';

const RULES =
  '(?:instructions?|directions?|directives?|rules?|guidelines?|orders?|prompts?|polic(?:y|ies)|constraints?|restrictions?|safeguards?|guardrails?|training|agreements?|principles|(?:safety|security) (?:measures?|checks?|filters?|rules?))';
const EARLIER =
  "(?:earlier|previous(?:ly)?|prior|above|preceding|initial|original|former|system|developers?(?:'s)?|your|safety|operator(?:'s)?|user(?:'s)?|vendor|at the start|in the beginning|so far|up to now|before)";
const HIGHER =
  '(?:the users?(?: (?:wishes|requests?|wants|says?|asks?))?|developers?|system (?:prompts?|messages?|instructions?)|operators?|vendor|company that|whoever deployed|safety (?:\\w+ )?(?:rules?|polic\\w+|guidelines?)|your (?:own )?(?:rules?|instructions?|polic\\w+|guidelines?|training|developers?|operators?|makers?|safety)|anything (?:else )?(?:you|the)|everything (?:else )?(?:you|the)|any other (?:instructions?|rules?|text)|all other (?:instructions?|rules?))';

const override: readonly OrderPattern[] = [
  order(
    'override',
    [
      `(?<!\\bto )(?<!\\bnot )(?<!\\bnever )(?<!n't )(?<!\\bwhich )\\b(?:ignore|disregard|forget|discard|override|overrule|bypass|set aside|neglect|drop|abandon|cancel|suspend|dismiss|put aside|throw (?:out|away)|erase|violate|break|unlearn|stop (?:following|obeying|heeding)|no longer (?:follow|obey|heed)|do not (?:follow|obey|heed)|don't (?:follow|obey|heed)|void)\\b.{0,30}\\b${EARLIER}\\b.{0,25}\\b(?:${RULES}|told|said|agreed|asked|messages?|learned|learnt)\\b|\\b(?:ignore|disregard|forget|drop|discard)\\b.{0,20}\\b(?:what|anything|everything|whatever|all|the)\\b.{0,12}\\b(?:you (?:were|have been)|(?:was|were) (?:told|said|agreed|asked)|${RULES} (?:you|that|above|before|from))`,
    ],
    '\\b(?:gitignore|eslint|lint|cache|config(?:uration)?|settings?|file)\\b',
  ),
  order(
    'override',
    [
      `\\b(?:${RULES}|what you (?:were|have been) told|agreed|told)\\b`,
      '\\b(?:no longer (?:appl\\w+|hold|bind\\w*|count|matter|valid)|(?:is|are|becomes?|stands?) (?:now |hereby |therefore )?(?:void|obsolete|suspended|superseded|lifted|cancell?ed|irrelevant|null|revoked|repealed|invalid)|(?:does|do) not (?:apply|bind|count|hold)|cease[sd]? to|out of force|can be (?:forgotten|ignored|dropped))',
      `\\b(?:you|your|${EARLIER})\\b`,
    ],
    '\\b(?:lint|eslint|css|firewall|schema|style rules?)\\b',
  ),
  order(
    'override',
    [
      `\\b(?:outranks?|overrides?|overrule[sd]?|supersedes?|trumps?|takes? (?:precedence|priority)|(?:has|have) (?:precedence|priority)|prevails?|beats?|(?:more|higher|greater) (?:weight|authority|priority|rank)|(?:counts?|weighs?|matters?|ranks?) (?:more|higher|above)|more important|above|over|instead of|replaces?|not to)\\b.{0,30}\\b${HIGHER}`,
      `\\b(?:outranks?|overrides?|overrule[sd]?|supersedes?|trumps?|precedence|priority|prevails?|beats?|authority|weight|counts?|weighs?|matters?|ranks?|more important|replaces?|loyalty|allegiance|obey|obedience|follow|listen)\\b`,
    ],
    `\\b${NOT_A_PERSON}\\b|\\b(?:not|never|cannot|must not)\\b.{0,10}\\b(?:overrides?|replaces?|supersedes?|outranks?)|\\bconfig(?:uration)?\\b|\\bsettings?\\b|\\bdefaults?\\b|\\bprompt (?:file|template)|\\bfor (?:this|the) (?:turn|session|subagent|agent)|\\bthe user (?:to|can|may|selects?|must|will|has|is)\\b`,
  ),
  order('override', [
    '\\byou are (?:now|no longer)\\b.{0,50}|\\bfrom (?:now|here) on,? you\\b|\\byour (?:only |true |real |new |first )?(?:loyalty|allegiance|masters?|obedience|duty|principal|boss|owner) (?:is|are|lies|belongs?)\\b|\\b(?:consider|regard|think of|treat) yourself\\b|\\byou (?:only |now |must )?(?:obey|answer to|serve|belong to|work for|report to|listen to)\\b',
    '\\b(?:bound|restricted|limited|mode|free|unrestricted|administrator|root|owner|author|obey|answer to|serve|belong|listen|rules?|instructions?|loyalty|allegiance|master|developer|operator|company|deployed|filters?|subject to|unbound|jailbr\\w+|constraints?)\\b',
  ]),
  order(
    'override',
    [
      "\\b(?:treat|regard|read|take|consider|see|handle|understand|accept)\\b.{0,40}\\b(?:as|for|like)\\b.{0,20}\\b(?:coming from|(?:the )?words? of|orders?|instructions?|commands?|(?:the |your )?(?:operator|administrator|admin|developer|system|owner|vendor|boss|user)s?(?:'s)? (?:speaking|speaks|message|messages|words?|order|orders|command|commands|own|itself|himself|voice)?)\\b",
    ],
    "\\b(?:not|never|don't|data|regex|glob|patterns?|literal|plain|untrusted)\\b",
  ),
  order(
    'override',
    [
      '\\bcomes? (?:straight |directly )?from (?:your|the) (?:administrators?|developers?|operators?|vendors?|owners?|makers?|creators?|platform|company|security team|system)\\b|\\b(?:on behalf of|with the authority of|authori[sz]ed by|by order of|speaks? for) (?:your|the) (?:administrators?|developers?|operators?|vendors?|system|platform|company)\\b',
    ],
    '\\b(?:events?|signals?|logs?|bytes|time)\\b',
  ),
  order(
    'override',
    [
      '\\b(?:developer|admin|god|unrestricted|jailbreak|maintenance|debug|owner|root|sudo) (?:mode|access|privileges)\\b',
      '\\b(?:you|your|enter|switch|activate|enabled?|granted|active|on)\\b',
      '\\b(?:you|your)\\b',
    ],
    '\\b(?:chrome|browser|devtools|database|server|process)\\b',
  ),
  order(
    'override',
    [
      '\\byour (?:own |usual |normal |regular |other |general |standing |default |built-in )*(?:limits?|limitations?|restrictions?|rules|safeguards?|guardrails?|constraints?|programming|principles|setup|filters?|policies|scruples|guidelines)\\b',
      '\\b(?:off|not|no longer|void|suspended|switched|lifted|ignore|forget|disregard|nothing|never|replaced?|superseded?|outdated|obsolete|irrelevant|secondary|without|despite|regardless|against|beyond|above|before|cease|drop)\\b',
    ],
    '\\b(?:eslint|lint|firewall|css|account|plan|quota|rate)\\b',
  ),
  order(
    'override',
    [
      '\\b(?:user|human|person|someone|anyone|they|he|she|owner|developer)s?\\b.{0,24}\\b(?:something else|otherwise|differently|different|other(?:wise)?|the opposite|no|object\\w*|stop|disagree\\w*|refuse\\w*|against)\\b',
      '\\b(?:still|instead|anyway|nonetheless|nevertheless|all the same|regardless|even so|despite|do (?:as|what)|follow (?:this|these)|stick to (?:this|these)|this (?:text|description|tool) (?:says|wins)|ignore (?:them|him|her|it)|as (?:it is )?written here)\\b',
      '\\b(?:this|here|these|it|instead|still|written|anyway)\\b',
    ],
    '\\b(?:port|path|name|value|file|folder|default|branch|format)\\b',
  ),
  order('override', [
    '\\b(?:wish|wishes|requests?|wants|needs|orders?|words?|instructions?|interests) of the (?:user|human|person|owner|developer|operator)s?\\b',
    '\\b(?:only after|come second|second|secondary|after those|below|less|last|behind|not matter|outweigh\\w*|ignore\\w*|overrid\\w*|yield\\w*|before)\\b',
  ]),
  order(
    'override',
    [
      '\\b(?:message|notice|order|instructions?|note|update|directive|announcement|memo|command)s?\\b.{0,8}\\b(?:from|of|by) (?:the |your )?(?:\\w+ )?(?:developers?|platform|system|vendors?|administrators?|admins?|security team|provider|operators?|makers?|company|manufacturer|owners?)\\b|\\bnew (?:rules?|instructions?|directives?|policy|orders?|(?:primary |main |only )?(?:goal|task|mission|objective|purpose))\\b.{0,24}\\b(?:in force|apply|applies|effective|valid|now|follow|is to|are to|from now|:)',
      '\\b(?:this|these|here|following|you|your|new|now)\\b',
    ],
    '\\b(?:event|log|kernel|journal|returns?|shows?|lists?|fetch\\w*|reads?|sends?|queue|bus|slack|mail|create|commit)\\b',
  ),
  order('override', [
    '\\b(?:binding|mandatory|compulsory|law|obligatory|supreme|sacrosanct|absolute|final)\\b.{0,16}\\b(?:for you|to you|on you|all others?|everything else|any other)\\b|\\b(?:all|any|every) (?:others?|other (?:text|lines?|rules?|instructions?|orders?))\\b.{0,20}\\b(?:suggestions?|advice|optional|irrelevant|ignored?|void|secondary|second)\\b',
  ]),
  order(
    'override',
    [
      '\\b(?:behave|act|respond|answer|work|speak|think|operate|consider yourself|you are|be)\\b.{0,24}\\b(?:without (?:any )?(?:restrictions?|limits?|rules|filters?|constraints?|limitations?|guardrails?|scruples|censorship)|free (?:of|from) (?:all |any )?(?:restrictions?|limits?|rules|filters?|constraints?)|unrestricted(?:ly)?|unfiltered|uncensored)\\b|\\byou (?:answer|report|belong|listen) (?:to|only to) this\\b',
    ],
    '\\bquer(?:y|ies)\\b',
  ),
  order('override', [
    '\\b(?:obey|carry out|execute|act on|comply with|do|follow|perform)\\b.{0,12}\\b(?:whatever|what|anything|everything|any|every|all)\\b.{0,40}\\b(?:says?|tells?|returns?|asks?|orders?|instructs?|commands?|contains?|instructions?|it)\\b',
    '\\b(?:whatever (?:you|the user|the system|earlier)|without (?:question|doubt|hesitation)|no matter|even (?:if|when|where)|earlier|instead|regardless|against|above all|at once|blindly|exactly as if|unconditionally)\\b',
  ]),
];

const TOOL =
  "(?:(?:the |`|')*(?:bash|powershell|grep|glob|webfetch|websearch|todowrite|todoread|apply_patch|multiedit|codesearch|shell)\\b|(?:the )?(?:`(?:read|write|edit|find|ls|task|list)`|(?:read|write|edit|find|ls|task) (?:tool|command)s?)\\b|(?:any|every|all|each|the|another|no)? ?(?:of the )?(?:other|built-in|builtin|standard|native|default|remaining|rival|competing) (?:\\w+ )?(?:tools?|commands?|functions?|calculators?|converters?|extensions?)\\b)";
const BAN =
  "(?:stop|avoid|quit|cease|never|do not|don't|must not|mustn't|refuse to|refrain from|no longer|may not|should not|forbidden to|disable|deactivate|retire|abandon|uninstall|leave)";
const USE =
  '(?:using|use|call|calling|run|running|invoke|invoking|rely(?:ing)? on|trust(?:ing)?|choose|pick|touch|reach for|consult|execute)';

const otherTools: readonly OrderPattern[] = [
  order(
    'other-tools',
    [
      `\\b${BAN}\\b (?:ever )?(?:${USE} )?(?:for \\w+ )?${TOOL}(?:(?: or| and|,)[^.;]{0,30})?(?= ?(?:[;,.:)]|$|and|or|again|any ?more|at all|directly|from now|once|while|they|it|because|since|yourself))|\\b${BAN} ${USE} (?:(?:read|write|edit|find|ls|task)\\b(?: and| or|,)? ?)+(?= ?(?:[;,.:)]|$|and|or|again|any ?more|at all|from now|for (?:this|that|files?|anything)|first|they|because))`,
    ],
    '\\b(?:in (?:parallel|a loop|the same)|at the same time|concurrently|twice|for (?:long|large|big|huge|simple))\\b',
  ),
  order(
    'other-tools',
    [
      '\\b(?:before|ahead of|prior to|in place of|instead of|rather than|earlier than|first)\\b.{0,12}\\b(?:any|every|each|all|whatever|either)\\b.{0,12}\\b(?:tools?|tool calls?|functions?|reply|replies|answers?|responses?|messages?|turns?|requests?|tasks?|actions?|prompts?|questions?)\\b',
      '\\b(?:run|runs|call|called|calls|use|used|invoke|invoked|must|has to|have to|needs? to|always|required|mandatory|goes|comes|first|executed?|consult)\\b',
    ],
    `\\b(?:test|lint|commit|release|deploy|migration|retries|backoff|timeout)\\w*\\b`,
  ),
  order('other-tools', [
    `\\b(?:must|has to|have to|needs? to|always|should|required|is to|are to|every time|each time)\\b`,
    '\\b(?:nobody asked|not (?:been )?asked|unasked|unprompted|whatever the (?:task|question|request|user)|no matter (?:what|which)|regardless of (?:the|what)|even if (?:it|the (?:user|task|question)|nobody|unrelated|not)|(?:in|on|at|with|for) (?:every|each|any) (?:turn|reply|answer|response|message|session|prompt|task|request|conversation|question)|at the (?:start|beginning|end) of (?:every|each|any))\\b',
    '\\b(?:run|call|called|use|used|invoke|invoked|execute|executed|consult)\\b',
  ]),
  order(
    'other-tools',
    [
      '\\b(?:whatever|everything|anything|all|what|results?|outputs?|answers?|each|every|texts?)\\b.{0,20}\\b(?:other tools?|another tool|other (?:commands?|functions?)|built-in tools?|tool calls?|bash|the shell|grep|webfetch)\\b',
      '\\b(?:must|has to|have to|should|needs? to|is to|are to|forward(?:ed)?|pass(?:ed)?|send|sent|hand(?:ed)?|copy|copied|goes?|route[ds]?|repeat(?:ed)?)\\b',
      '\\b(?:here|this|to|through|it|first|afterwards|too|also)\\b',
    ],
    '\\b(?:truncat|limit|format|rows?|like|unlike|same)\\w*\\b',
  ),
  order('other-tools', [
    `\\b(?:every|each|all|any)\\b.{0,12}\\b(?:commands?|edits?|reads?|writes?|files?|searches|shell|tool calls?|requests?|changes?)\\b`,
    '\\b(?:must|has to|have to|needs? to|should|only|always|is to|are to|may only)\\b',
    '\\b(?:through (?:here|this|it)|via (?:this|it)|pass(?:es)? (?:here|through)|go(?:es)? through|before (?:bash|the shell|it reaches)|in here first|here first|this tool first|by way of)\\b',
  ]),
  order('other-tools', [
    `\\b(?:when(?:ever)?|each time|every time|if|before|after|in|on|for|to)\\b.{0,16}\\b(?:you )?(?:later |next |then |ever )?(?:call|calling|use|using|run|running|invoke|invoking|every call of|calls? to)\\b (?:the )?(?:bash|powershell|grep|glob|webfetch|websearch|read|write|edit|find|ls|task|todowrite|apply_patch|another tool|other tools|any (?:other )?tool)\\b`,
    '\\b(?:append|add|include|prepend|also|first|attach|set|change|replace|insert|put|copy|send|write|must|always)\\b',
  ]),
  order(
    'other-tools',
    [
      '\\b(?:takes? over from|replaces?|supersedes?|stands? in for|makes?)\\b.{0,16}\\b(?:every|all|any|the|your|each)\\b.{0,8}\\b(?:other|built-in|builtin|standard|native|existing|previous)\\b.{0,16}\\b(?:tools?|commands?|functions?|calculators?|search|editors?)\\b',
    ],
    '\\b(?:match|occurrence|text|does not|not)\\w*\\b',
  ),
  order(
    'other-tools',
    [
      `\\b(?:leave|keep|let)\\b.{0,20}\\b(?:alone|aside|unused|off|idle)\\b|\\bforbidden\\b|\\bprohibited\\b|\\bnot allowed\\b|\\bbanned\\b`,
      '\\b(?:other|another|built-in|rival|every other|any other) (?:\\w+ )?(?:tools?|commands?|functions?|calculators?|extensions?)\\b',
    ],
    '\\b(?:servers?|permission|policy|mode|user)\\b',
  ),
];

const moreTools: readonly OrderPattern[] = [
  order(
    'other-tools',
    [
      '\\b(?:mandatory|obligatory|compulsory|required|imperative|essential|a must|must|has to|have to|needs? to|always|never fail to|make sure to|be sure to|invoke|call|run)\\b',
      '\\b(?:call|calling|run|running|use|using|invoke|invoking|execute|consult|called|used|invoked)\\b',
      "\\b(?:at the (?:beginning|start|end|outset) of (?:each|every|any|all|the)|before (?:you )?(?:answer|reply|respond|do|start|say|write|take)\\w* ?(?:anything|any|every|each|the user|a question|$|,|;|even|no matter|regardless)|(?:for|in|on|with|before|after) (?:each|every|any|all) (?:tasks?|turns?|requests?|questions?|answers?|messages?|prompts?|repl(?:y|ies)|responses?|steps?|sessions?|conversations?)|(?:even )?(?:if|when|though) (?:the )?(?:question|task|request|it|user|topic)\\b.{0,20}\\b(?:nothing to do|unrelated|does not|doesn't|not|something else|other)|no matter what|whatever the (?:task|topic|question|user))",
    ],
    '\\b(?:own|test|lint|commit|release|deploy|migration|retries|only when|only if|unless|once per)\\b',
  ),
  order(
    'other-tools',
    [
      '\\b(?:every|each|all|any)\\b.{0,20}\\b(?:files?|edits?|commands?|reads?|reading|writes?|writing|changes?|searches?|searching|requests?|outputs?|results?|tools?|calls?|access)\\b',
      '\\b(?:handed|passed|given|sent|routed|directed|goes?|go|run|runs|made|done|submitted|forwarded|shown|reported|report|send|hand|pass|forward|copy|give|submit)\\b',
      '\\b(?:to this (?:tool|one)|through this (?:tool|one)|via this (?:tool|one)|with this (?:tool|one)|by this (?:tool|one)|only through|(?:output|outputs|result|results|answer|text)\\b.{0,12}\\bhere)\\b',
      '\\b(?:has to|have to|must|needs? to|should|is to|are to|from now on|only|always|afterwards|after|first|goes?|any)\\b',
    ],
    '\\bpassed to this tool\\b|\\bsupports?\\b',
  ),
  order(
    'other-tools',
    [
      `\\b(?:bash|powershell|grep|glob|webfetch|websearch|read|write|edit|find|ls)\\b.{0,24}\\b(?:call(?:ed)?|run|used?|invoked?|about to|wanted|needed|reach for)\\b|${TOOL}`,
      '\\b(?:call|use|run|take|invoke|choose) (?:this|it|me)\\b.{0,12}\\b(?:in (?:its|their) (?:place|stead)|instead|first|one instead)\\b|\\bin (?:its|their) (?:place|stead)\\b',
    ],
    '\\b(?:for (?:large|long|binary|simple)|when (?:the|you need|only))\\b',
  ),
  order('other-tools', [
    '\\b(?:other|another|built-in|builtin|standard|rival|default|native|remaining) (?:\\w+ )?(?:tools?|commands?|functions?|extensions?|search|calculators?|packages?|plug-?ins?)\\b',
    '\\b(?:unsafe|broken|outdated|obsolete|deprecated|insecure|dangerous|unreliable|slow|wrong|malicious|compromised|faulty|untrustworthy|inferior)\\b',
    "\\b(?:refrain|do not|don't|never|avoid|stop|not|no longer|so|instead|leave)\\b",
  ]),
  order('other-tools', [
    "\\b(?:do not|don't|never|stop|no longer|not)\\b.{0,6}\\b(?:rely|trust|depend|count|fall back|use|turn)\\w*\\b.{0,8}\\b(?:the )?(?:built-in|builtin|standard|default|native|other|old|existing) (?:\\w+ )?(?:tools?|search|editors?|commands?|reader|functions?|shell)\\b",
  ]),
  order('other-tools', [
    '\\bwhen(?:ever)? this (?:tool|extension|package) is (?:available|installed|active|enabled|present|loaded)\\b|\\bwhile (?:this|it) is (?:installed|active|enabled)\\b',
    "\\b(?:must|always|never|only|have to|has to|should|do not|don't|forbidden|instead|every|all)\\b",
  ]),
  order('other-tools', [
    '\\bprefer (?:this|it|\\w+)(?: tool)? (?:over|to|instead of|rather than)\\b',
    `${TOOL}|\\bbuilt-in\\b`,
    '\\b(?:always|should|must|in (?:all|every)|whenever|any)\\b',
  ]),
  order('other-tools', [
    '\\b(?:first|before|must|security|verif\\w+|authori[sz]\\w+)\\b.{0,24}\\b(?:call|run|use|invoke)\\b (?:the )?(?:tool )?`?[a-z]+(?:_[a-z]+)+`?',
    '\\b(?:first|before)\\b',
    '\\b(?:secrets?|admin|credentials?|passwords?|tokens?|keys?|security|verif\\w+|authori[sz]\\w+|pass the result|include the result)\\b',
  ]),
];

export const ENGLISH_IDEAS: readonly OrderPattern[] = [
  ...ASKS,
  ...ABOUT_THE_USER,
  ...override,
  ...otherTools,
  ...moreTools,
];
