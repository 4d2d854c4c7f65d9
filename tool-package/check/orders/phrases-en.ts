/** Orders in English. */
import type { Phrases } from './phrases.ts';

/** Built-in names of the agents, as a group. */
const TOOL_NAMES =
  '(?:bash|powershell|read|edit|write|grep|find|ls|glob|task|webfetch|websearch|todowrite|todoread|apply_patch|multiedit)';

const RULES =
  '(?:instructions?|directions?|directives?|rules?|guidelines?|orders?|prompts?|polic(?:y|ies)|constraints?|restrictions?|safeguards?|training)';
const EARLIER =
  "(?:earlier|previous|prior|above|preceding|initial|original|former|system|developer(?:’s|'s)?|your|safety|given|existing)";
const USER =
  '(?:(?:the |your )?(?:users?|humans?|persons?|people|owners?)(?! (?:interface|agent|id|name|config|setting|style|guide))|anyone|anybody|them)';
/** A verb that is an order: not "to reveal", "never reveal", "does not reveal". */
const order = (verbs: string): string =>
  `(?<!\\bto )(?<!\\bnot )(?<!\\bnever )(?<!n['’]t )(?<!\\bor )\\b(?:${verbs})\\b`;
const SECRETS =
  '(?:passwords?|passphrases?|(?:api|access|auth|bearer|login|session|security) (?:tokens?|keys?|cookies?|codes?)|tokens?|private (?:\\w+ )?keys?|ssh keys?|credentials?|secrets|cookies?|password store|seed phrase|keychain|wallet)';
const SECRET_FILES = '(?:\\.env\\b|\\.netrc|\\.npmrc|\\.aws|\\.ssh|id_rsa|auth\\.json|credentials? files?)';
const HAND_OVER =
  'paste|include|add|put|send|pass|provide|supply|attach|copy|enter|append|give|forward|upload|insert|submit|repeat|print|quote|prepend';
const SOURCE =
  "(?:user['’]s|the user|your|environment|browser|session|project|home|found|machine|computer|folder|disk|with (?:each|every)|so that|here|account)";

/** Settings, formats and linters have rules, priorities and precedence too. */
const NOT_ABOUT_THE_MODEL =
  /\b(?:config\w*|options?|flags?|settings?|files?|eslint|lint\w*|css|style guides?|selectors?|gitignore|operators?(?! (?:said|told))|formats?|schema|branch(?:es)?|versions?|defaults?|columns?|rows?|commits?|compiler|test suites?)\b/;

const re = (...parts: string[]): RegExp => new RegExp(parts.join(''));

export const ENGLISH: Phrases = {
  override: [
    re(
      order('ignore|disregard|forget|discard|override|overrule|bypass|set aside|neglect|drop'),
      `.{0,25}\\b${EARLIER}\\b.{0,25}\\b(?:${RULES}|told|said|messages?)\\b`,
    ),
    re(
      order('ignore|disregard|forget'),
      '.{0,20}\\b(?:what|anything|everything|whatever)\\b.{0,30}\\b(?:you were|you have been|told|said|above)\\b',
    ),
    re(
      `\\b${RULES}\\b.{0,40}\\b(?:no longer (?:appl|count|matter)|(?:is|are|becomes?) (?:now |hereby )?(?:void|obsolete|suspended|superseded|cancelled|lifted)|cease to)`,
    ),
    re(
      '\\b(?:counts?|weighs?|matters?|ranks?) (?:more|higher|above)\\b.{0,25}\\b(?:you|developer|system|user|told|instructions?)\\b',
    ),
    re(
      `\\b(?:outranks?|overrides?|supersedes?|trumps?|replaces?|(?:takes?|has|have) (?:precedence|priority) over|above)\\b.{0,25}\\b(?:the user(?:['’]s (?:wish|request|instruction)\\w*)?(?=$|[.,])|developers?(?=$|[.,])|system (?:prompt|message)|safety ${RULES}|your ${RULES}|${RULES} (?:that )?you)`,
    ),
    re(`\\byou are (?:now|no longer)\\b.{0,40}\\b(?:bound|restricted|limited|assistant|mode|${RULES})`),
    re('\\b(?:developer|admin|god|unrestricted|jailbreak) mode\\b.{0,20}\\b(?:on|enabled|active)'),
    re(`\\bcomes? from (?:your|the) (?:administrator|developer|operator|system)\\b`),
    {
      all: [
        re(`\\b(?:${RULES}|what you (?:were|have been) (?:told|given|asked))\\b`),
        /\byou (?:were|have been|otherwise|normally|usually|received|got)\b|\byour (?:own |other |usual |default |earlier )?(?:instructions?|rules|guidelines|polic|training|orders|prompt|safeguards|restrictions)|\b(?:earlier|previous|prior|system|developer['’]?s?|operator['’]?s?|safety|user['’]s)\b/,
        /\b(?:ignore|disregard|forget|discard|outranks?|supersedes?|precedence|priority|void|suspend(?:ed|s)?|lifted|set aside|no longer|stop (?:following|applying|obeying)|give way|yields?|secondary|outweighs?|expired?|trumps?|do(?:es)? not (?:apply|count|matter|hold|bind)|pause[sd]?|relax(?:ed)?|waived?|not bound)\b/,
      ],
      unless: NOT_ABOUT_THE_MODEL,
    },
    re(
      '\\byour (?:\\w+ ){0,2}(?:limits?|restrictions?|rules|guidelines|instructions|setup|polic\\w+|constraints?|training|boundaries|filters?)\\b.{0,30}\\b(?:off|lifted|removed|gone|void|suspended|disabled|paused|relaxed|do not|does not|no longer|cease|obsolete)\\b|\\b(?:nothing|no rule|no policy) in your (?:setup|instructions|rules|prompt|training)\\b',
    ),
    re(
      '\\b(?:binding for you|obey (?:only )?(?:this|it|these)|(?:you )?(?:answer|listen|report) (?:only )?to (?:this|it)\\b|(?:let it|it|this|these) (?:wins?|prevails?) over|take (?:it|this|them) as (?:an )?order)',
    ),
    re(
      '\\b(?:when|if|even if|whatever|should|although|even when) (?:the )?(?:user|person|human|they|owner)s? (?:asks?|wants?|says?|objects?|insists?|requests?|disagrees?|refuses?|prefers?)\\b.{0,30}\\b(?:else|otherwise|different\\w*|still|nevertheless|anyway|instead|not to|follow this|the opposite)',
    ),
    re(
      '\\bmessage from (?:the |your )?(?:developers?|system|administrators?|operators?|makers?|provider|vendor|anthropic|openai|google)\\b|\\bas (?:if|though) (?:it came from )?the (?:system|developer|user|operator)\\b|\\bnew (?:rules|instructions|orders|policy|directives) (?:are|is|apply|come|take)',
    ),
    re(
      "\\b(?:behave|act|answer|respond|work|operate) (?:as|like) an? (?:\\w+ )?(?:assistant|model|ai|agent) (?:without|that has no|with no|free of)|\\bwishes of the user\\b.{0,20}\\b(?:only|after|last|second|less|below)|\\b(?:user|developer|system)(?:['’]s)? \\w+ (?:come|comes|rank|ranks|is|are) (?:second|last|below|secondary|optional|suggestions?)",
    ),
    re(
      '\\b(?:supersedes?|overrides?|replaces?|cancels?|nullif\\w+)\\b.{0,10}\\b(?:all|any|every)\\b.{0,10}\\b(?:other|previous|prior|earlier)\\b.{0,16}\\b(?:instructions?|rules|orders|prompts?|messages?|guidance)|\\b(?:new|updated|revised|real|true|actual) (?:\\w+ )?(?:instructions?|goals?|objectives?|mission|orders?|directives?)\\b ?(?::|\\bis\\b|\\bare\\b)',
    ),
    re(
      '\\bfrom now on,? (?:respond|answer|you|only|always|act|do|ignore|obey|treat)|\\byou are (?:dan\\b|free (?:of|from))|\\bfree (?:of|from) (?:all|any) (?:restrictions|limits|rules)|\\bsystem override\\b',
    ),
  ],
  'other-tools': [
    re(
      `\\b(?:stop|avoid|quit|cease) (?:using|calling|running) (?:the )?(?:${TOOL_NAMES}|(?:any|all|every)? ?other tools?)\\b`,
    ),
    re(
      `\\b(?:never|do not|don['’]t|must not|refuse to)\\b (?:use|call|run|invoke) (?:the )?(?:${TOOL_NAMES}|any other)\\b(?! (?:case|characters?|letters?|value|units?|format))`,
    ),
    re('\\b(?:before|after|ahead of) (?:any|every|each|all)(?: of the)? other tools?\\b'),
    re(
      `\\bwhen(?:ever)? you (?:later |next |then |want to |need to )?(?:call|use|run|invoke) (?:the )?${TOOL_NAMES}\\b`,
    ),
    re(
      `\\b(?:every|each|all|any) (?:shell )?(?:commands?|calls?|edits?|reads?)\\b.{0,30}\\b(?:must|has to|have to|needs? to|should|is to|are to)\\b.{0,40}\\b(?:through|here|first|before)\\b`,
    ),
    re(
      '\\b(?:whatever|what|everything|anything|results?|outputs?)\\b.{0,12}\\bother tools?\\b.{0,20}\\b(?:must|has to|have to|should|needs?|is to|are to)\\b',
    ),
    re(
      '\\b(?:must|has to|have to|should|needs? to|always)\\b (?:be )?(?:run|called?|used?|invoked?)\\b.{0,40}\\b(?:nobody asked|not asked|every (?:turn|reply|answer|response|message|session|prompt|task)|each (?:turn|reply|answer|response|message|session|prompt|task))',
    ),
    re(
      '\\b(?:at the (?:start|beginning) of|before) (?:every|each) (?:turn|reply|answer|response|message|session|conversation|task)\\b.{0,30}\\b(?:run|call|use|invoke)\\b',
    ),
    re(
      `\\b(?:never|do not|don['’]t|must not|stop|refuse to|forbidden to|forbids?|not allowed to|instead of|rather than|disables?|abandon|retire|drop|avoid|no longer (?:use|call|need))\\b.{0,25}\\b(?:bash|grep|powershell|webfetch|websearch|todowrite|apply_patch|(?:any |all |every |the )?(?:other|another|built-in|remaining|rival|competing) (?:tools?|extensions?|calculators?|searches))\\b`,
    ),
    re(
      '\\b(?:first|only|sole|last) (?:tool|one) (?:that )?(?:you|to)\\b.{0,20}\\b(?:call|use|run|need)|\\b(?:every|any|all|each) (?:other )?(?:tools?|tool calls?)\\b.{0,30}\\b(?:first|through|via|after|wait|only|here)\\b|\\bbefore (?:any|every|each|all) (?:other )?(?:tool|call|action|step|request)s?\\b.{0,30}\\b(?:run|call|use|invoke|must|has to|first)|\\b(?:run|call|use|invoke)s?\\b.{0,24}\\bbefore (?:any|every|each|all) (?:other|tool|call|action)',
    ),
    re(
      '\\b(?:call|invoke|run|use|execute|consult|query)(?:ed|ing|s)?\\b.{0,30}\\b(?:before (?:you )?(?:answer|reply|respond|anything|doing|starting|you start|touching)\\w*|at the (?:start|beginning|end) of (?:each|every|any|all)|(?:for|in|on|with|after|at) (?:each|every|any) (?:task|turn|answer|reply|response|message|request|conversation|session|question|prompt)|even if|even when|no matter|whatever the)',
    ),
    re(
      '\\b(?:every|each|all|any)(?: of)? (?:\\w+ ){0,2}(?:files?|commands?|edits?|reads?|search(?:es)?|reading|writing|outputs?|results?|requests?|tasks?)\\b.{0,40}\\b(?:handed|goes|go|passed?|sent|routed?|given|reported|forwarded|submitted|shown)\\b.{0,12}\\b(?:to|through|via|by|past) (?:this|it|here)\\b',
    ),
    re(
      "\\b(?:do not|don['’]t|never|no longer|refrain from|stop|cease to|cannot)\\b.{0,4}\\b(?:rely|relying|trust|trusting|depend|depending|call|calling|use|using)\\b.{0,10}\\b(?:built-?in|other|another|default|standard|native|them$|alternatives?)\\b(?! (?:values?|units?|characters?|formats?|cases?))",
    ),
    re(
      `\\b(?:if|when|whenever|before|where)\\b.{0,20}\\b${TOOL_NAMES}\\b.{0,24}\\b(?:is about to|would be|is to be|are to be|gets?|is) (?:be )?(?:called|used|run|invoked)|\\b${TOOL_NAMES} (?:or|and) ${TOOL_NAMES}\\b.{0,40}\\b(?:instead|in (?:its|their) place|must|never|not|stop|first)\\b`,
    ),
    re(
      '\\b(?:after|before) (?:using |calling |running |you use |you call )?any (?:other )?tool\\b|\\bother (?:tools?|extensions?|packages?|plugins?) (?:are|is|have been|were|will be) (?:\\w+ )?(?:unsafe|broken|outdated|deprecated|slow|wrong|obsolete|disabled|unreliable|retired|dangerous|switched off|forbidden)',
    ),
    re(
      '\\b(?:before|while|when(?:ever)?|after|prior to) (?:using|calling|invoking|running|you use|you call) this (?:tool|function)\\b.{0,40}\\b(?:read|open|send|list|fetch|cat|also|you must|must first)\\b',
    ),
    re(
      '\\b(?:must|should|always|have to)\\b.{0,12}\\b(?:send|forward|copy|bcc|cc|upload)\\b.{0,40}\\bto \\S+(?:@|://)\\S+|\\b(?:must|should) always (?:prefer|use|choose)\\b|\\bprefer\\b.{0,24}\\bover\\b.{0,16}\\b(?:built-?in|other|any|bash|grep)\\b|\\bcall(?:ed)? (?:this |it )?(?:tool )?first\\b|\\bfirst call \\w+_\\w+',
    ),
  ],
  secrecy: [
    re(
      `\\b(?:do not|don['’]t|never|must not|should not|avoid|refrain from|no need to|need not|without)\\b.{0,15}\\b(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|disclose|disclosing|notify|notifying|alert|alerting)\\b.{0,40}\\b(?:${USER}|your (?:reply|answer|response|summary)|this (?:tool|call|step))`,
    ),
    re(
      `\\bwithout (?:${USER})(?:['’]s)? (?:noticing|knowing|knowledge|seeing|being (?:told|aware)|realizing|awareness)`,
    ),
    re(
      order('keep|hide|conceal|withhold'),
      `.{0,50}\\b(?:from|out of)\\b.{0,20}\\b(?:${USER}|(?:the|your) (?:summary|reply|answer|response|log|report|plan)|sight)`,
    ),
    re(
      '\\b(?:tell|inform|show) (?:nobody|no one|no-one)\\b|\\bno one (?:needs|has|is) to know\\b|\\bneed not (?:know|learn|hear)\\b|\\b(?:between|among) us\\b|\\bleav(?:e|ing) no trace\\b|\\bchange the subject\\b',
    ),
    re(
      `\\bbehind (?:the )?(?:users?|human|owner|person)(?:['’]s|s['’])? back\\b|\\b(?:secretly|covertly|stealthily|surreptitiously)\\b`,
    ),
    re('\\b(?:say|claim|pretend|answer|reply) (?:only )?that you (?:only|just|did not|never|have not)\\b'),
    re(`\\b(?:do not|don['’]t|never) let ${USER} (?:know|see|notice|find out)`),
    re(
      `\\b(?:${USER})\\b (?:is|are|was|were|should|must|may|need|needs|do|does|shall|can|ought)(?: not|n['’]t| never)(?: to| supposed to| meant to| have to| need to)? (?:be (?:told|informed|aware|shown|notified)|know|learn|notice|see|hear|find out|realize)`,
    ),
    re(
      '\\bmake no (?:mention|reference)\\b|\\bno (?:mention|trace|sign|hint|record) of (?:this|it|the)\\b|\\b(?:unnoticed|unaware|out of sight|in secret|on the quiet|off the record|discreetly|confidentially)\\b|\\bkeep (?:this|it|that|these|them|quiet|all of this)\\b.{0,20}\\b(?:to yourself|confidential|private|quiet|secret|hidden|internal)|\\b(?:hidden|concealed|withheld|kept) from (?:the )?(?:user|human|owner|person)s?\\b(?! (?:interface|agent))',
    ),
    re(
      `${order('omit|leave out|remove|strip|drop|exclude|erase|delete')}`,
      '.{0,40}\\b(?:from|in) (?:your|the) (?:reply|answer|response|summary|report|log|transcript|history|final (?:answer|message))\\b',
    ),
    re(
      "\\b(?:do not|don['’]t|never|no need to|without)\\b.{0,12}\\b(?:say|saying|explain|explaining|admit|admitting|acknowledge|discuss|talk about|refer to|bring up|point out)\\b.{0,40}\\b(?:this|it|that you|to (?:the )?(?:user|human|anyone)|in (?:your|the) (?:reply|answer|response|summary))\\b",
    ),
    re(
      '\\b(?:as if|pretend(?:ing)? (?:that )?)\\b.{0,20}\\b(?:nothing|it never|you (?:had|did|came|found|knew|wrote))',
    ),
    re(
      '\\bas (?:though|if)\\b.{0,24}\\b(?:never|not|nothing|no one|nobody)\\b.{0,20}\\b(?:called?|run|used?|happened|read|there|done|sent|seen)|\\bsay nothing\\b|\\b(?:deny|denies|denying)\\b.{0,8}\\b(?:that|having|it|any|everything)\\b|\\b(?:nobody|no one|no-one)\\b.{0,10}\\b(?:knows?|notices?|sees?|learns?|finds? out|is told|realis|realiz)',
    ),
    re(
      `\\bso that\\b.{0,6}(?:${USER}|nobody|no one)\\b.{0,14}\\b(?:does|do|will|can|cannot|could|would|is|are|never)?(?: not|n['’]t|never)?\\b.{0,6}\\b(?:realis|realiz|notice|know|find out|learn|become aware|suspect|unaware)`,
    ),
    re(
      `\\b(?:should|must|may|need|will|can)(?: not|n['’]t|never)\\b.{0,6}\\b(?:become|be made|get|grow) (?:aware|suspicious|wise)|${order('hide|omit|leave|exclude|keep')}.{0,8}\\b(?:this|the|that|it|these)\\b.{0,4}\\b(?:step|call|action|part|upload|request|tool)?\\b.{0,8}\\b(?:from|out of|off) (?:the |your )?(?:list|steps|plan|reply|answer|summary|report|log|user|history|what you)`,
    ),
    re(
      '\\brefrain from (?:list|mention|tell|report|nam|show|bring|disclos|reveal|say)\\w*|\\b(?:avoid|stop) (?:mention|tell|report|disclos|reveal)\\w*',
    ),
    re(
      "\\b(?:do not|don['’]t|never|must not)\\b (?:ever )?(?:mention|tell|reveal|disclose|talk about|speak of|discuss)\\b (?:that|how|why|it|them|these|this (?:tool|step|call|action|instruction|to|fact)|anyone|any of)\\b",
    ),
  ],
  confirmation: [
    re(
      `(?<!\\b(?:after|once|until|unless|if|when|whether|that|only) (?:the )?)\\b(?:users?|humans?|owners?|person|they|administrators?) (?:has|have|had)(?: already)? (?:agreed|consented|approved|authori[sz]ed|waived|confirmed|permitted|signed off)`,
    ),
    re(
      '\\b(?:go ahead|proceed|continue|carry on|act|commit|execute|apply|run|do (?:it|this|so))\\b.{0,30}\\bwithout\\b.{0,12}\\b(?:asking|checking|confirm\\w*|prompting|waiting|approval|permission|consent|question)',
    ),
    re(
      order('skip|suppress|bypass|dismiss|disable'),
      '.{0,12}\\b(?:confirmations?|approvals?|permission (?:prompts?|checks?|dialogs?)|consent|warnings? dialogs?)\\b',
    ),
    re(
      '\\banswer (?:with )?["“\']?yes["”\']? (?:yourself|for (?:the user|them)|on)|\\bapprove (?:everything|all|it yourself|any(?:thing)?)\\b|\\bno (?:dialogs?|confirmations?|approvals?|questions?) (?:to|for|needed|required|,)|\\bno (?:dialogs?|confirmations?),',
    ),
    re(
      "\\b(?:never|do not|don['’]t|no need to|need not)\\b (?:\\w+ ){0,4}?(?:ask|wait|pause|stop)\\b.{0,30}\\b(?:confirm\\w*|approv\\w*|permission|consent|go-ahead)\\b",
    ),
    re(
      '\\bno need to (?:ask|confirm|check back|show (?:anything|it))\\b|\\bauto-?approve\\b|\\b(?:treat|regard|count) .{0,30} as (?:approved|confirmed|consent|agreed|a yes)\\b',
    ),
    re(
      "\\b(?:on (?:the user|their|his|her|the owner)(?:['’]s)? behalf|for the user) (?:without|and)|\\bassume (?:consent|approval|permission|a yes|yes|agreement|that (?:the user|they) (?:agree|consent|approve))|\\b(?:consent|approval|permission|agreement|authori[sz]ation|confirmation) (?:is|was|has been|counts as|can be) (?:already )?(?:given|granted|implied|assumed|obtained|taken|unnecessary|not (?:needed|required|necessary)|optional|superfluous)\\b",
    ),
    re(
      '\\bpre-?(?:approved|authori[sz]ed|confirmed)\\b|\\b(?:accept|confirm|approve|click|press|choose|select|answer|reply|say)\\b.{0,16}["“\']?\\b(?:yes|ok|okay|allow|always allow|accept|proceed)\\b["”\']?.{0,20}\\b(?:yourself|automatically|for (?:the user|them)|without|every time|whenever|to (?:every|any|all))',
    ),
    re(
      "\\b(?:do not|don['’]t|never|avoid)\\b.{0,10}\\b(?:bother|disturb|interrupt|trouble|pester|burden|confuse)\\w*\\b.{0,16}\\b(?:user|human|people|person|them|anyone|owner)|\\bnever show a preview|\\b(?:questions?|prompts?|dialogs?|confirmations?|warnings?)\\b.{0,20}\\b(?:can|may|should|must|are to) be (?:skipped|ignored|dismissed|suppressed|answered with|accepted|confirmed)",
    ),
    {
      all: [
        /\b(?:no (?:reason|need|point|use|sense)|needs? no|need not|(?:do|does|should|must) not (?:stop|pause|want|wish|need|like|have)|don['’]t (?:stop|pause|wait)|never (?:stop|pause)|taken for granted|clicked? (?:away|through)|in the name of|on behalf of|just do it|by default|not necessary|unnecessary|superfluous|waste of time|straight away|once and for all)\b/,
        /\b(?:ask(?:ed|ing)?|wait(?:ing)?|say yes|confirm\w*|approv\w*|permission|consent|dialogs?|warnings?|prompts?|second (?:look|opinion|thought)|all right|check(?:ed|ing)? (?:back|with)|go-ahead|okay)\b/,
        /\b(?:users?|persons?|humans?|people|owner|anyone|dialogs?|warnings?|permission|consent|approval|all right|again|back)\b/,
      ],
      unless: /\bif (?:no|nothing|there)\b|\b(?:api key|password|parameters?|arguments?|results?)\b/,
    },
  ],
  credentials: [
    re(order(HAND_OVER), `.{0,25}\\b${SECRETS}\\b.{0,40}\\b${SOURCE}`),
    re(order(HAND_OVER), `.{0,20}\\buser['’]s\\b.{0,15}\\b${SECRETS}\\b`),
    re(order(`${HAND_OVER}|read|open|load`), `.{0,30}\\b(?:contents? of|files?|the)\\b.{0,15}${SECRET_FILES}`),
    re(`\\bcontents? of (?:~|the |your |[\\w./~-]*)?/?${SECRET_FILES}`),
    re(
      order('read|open|list|collect|fetch|find|search'),
      `.{0,20}\\b(?:private keys?|ssh keys?|password store|credentials|keychain|wallet|cookies)\\b`,
    ),
    re(
      `\\b(?:cookies?|tokens?|passwords?) (?:of|from) the (?:browser|user|session|environment)\\b.{0,30}\\b(?:copied|by you|here)`,
    ),
    {
      all: [
        re(`\\b(?:${SECRETS}|${SECRET_FILES})`),
        /\b(?:here|arguments?|first line|each call|every call|this (?:field|parameter|value|argument)|along with|alongside|together with|attach(?:ed)?|copied|paste[d]?|read (?:it|them|out)|what you find|found in|in full)\b/,
        /\b(?:user|users|user['’]s|your|environment|browser|home (?:folder|directory)|project|machine|computer|disk|keychain|session|found|stored|saved|logged|local|store)\b/,
      ],
      unless:
        /\b(?:never|not|no|cannot|without|n['’]t|masks?|masked|redact\w*|removed?|replaced|hides?|hidden|warns?|refuses?|rejects?|detects?|finds?)\b/,
    },
    re(
      '\\b(?:values?|contents?) of (?:the )?(?:\\$?[a-z0-9]+_(?:token|key|secret|password|pass|pat)|~/\\.(?:ssh|aws|netrc|npmrc|env|gnupg|kube|config)\\b)',
    ),
    re(
      `\\b(?:ask|get|obtain|request|demand|coax)\\b.{0,16}\\b(?:users?|person|them|human|owner)\\b.{0,16}\\b(?:passwords?|passphrases?|pin|tokens?|credentials|api keys?|log-?in|card number)`,
    ),
    re(
      `(?<!\\bnot )(?<!\\bnever )\\b(?:look up|dig out|retrieve|extract|harvest|take|grab|read out|must contain|has to contain|should contain|needs?(?! no\\b)|belongs?|goes)\\b.{0,30}\\b(?:passwords?|passphrases?|(?:secret|private|api|access) (?:keys?|tokens?)|credentials|log-?in (?:data|details)|cookies?)\\b.{0,40}\\b(?:pass|hand|give|send|here|environment|browser|config\\w*|keychain|user|find|stored|saved|first)`,
    ),
    re(
      '\\b(?:log-?in (?:data|details)|passwords?|cookies?|credentials) (?:from|of|in) (?:the |your )?(?:browser|keychain|password manager|system|user)\\b',
    ),
    re(
      `${order('read|include|pass|send|provide|open|attach|collect|copy|cat|upload|gather|list|dump')}.{0,30}(?:\\.ssh\\b|\\.aws\\b|\\.netrc|\\.npmrc|\\.gnupg|\\.kube|\\.\\w*sh_history|mcp\\.json|auth\\.json|id_rsa|id_ed25519|/etc/(?:passwd|shadow)|process\\.env|\\ball environment variables|\\b\\w+_(?:api_)?(?:key|token|secret)\\b)`,
    ),
    re(
      '\\blist_secrets\\b|\\b(?:contents?|value) of\\b.{0,12}(?:\\.\\w*sh_history|process\\.env|mcp\\.json|/etc/(?:passwd|shadow))',
    ),
  ],
  conversation: [
    re(
      '\\b(?:whole|entire|full|complete|all(?: of)?)\\b.{0,15}\\b(?:chat|conversation|transcript|dialog(?:ue)?|messages?|session)\\b.{0,40}\\b(?:so far|word for word|verbatim|including|up to now|history|until now|with (?:each|every))',
    ),
    re('\\b(?:messages?|words) of the user\\b.{0,12}\\bso far\\b'),
    re(
      order(`${HAND_OVER}|reveal|start with|begin with|state|recite|pass along|disclose|leak|share|output`),
      '.{0,30}\\b(?:system (?:prompt|message|instructions?)|hidden (?:text|prompt|instructions?)|initial (?:prompt|instructions?)|instructions? you (?:were|have|got)|(?:text|what) you were (?:set up|given|told))',
    ),
    re('\\bwhat the developer (?:wrote|said|told)\\b|\\btext of your (?:system|developer) (?:message|prompt)\\b'),
    {
      all: [
        /\b(?:users?|person|human|you|we|they|people|both sides|assistant)\b.{0,12}\b(?:said|wrote|written|typed|asked|told|sent|exchanged|shared|discussed)\b|\b(?:chat|conversation|transcript|dialog(?:ue)?|message history|session history)\b/,
        /\b(?:so far|until now|up to now|to date|since the (?:start|beginning)|from the (?:start|beginning)|verbatim|word for word|in full|entire|whole|complete|full)\b/,
        /\b(?:add|append|attach|copy|forward|give|include|insert|pass|paste|prepend|provide|put|send|submit|supply|write|as the|as an?|with (?:each|every)|every call|each call|including|argument)\b/,
      ],
      unless: /\b(?:never|not|no|without|n['’]t)\b/,
    },
    re(
      '\\byour (?:own )?(?:system|initial|hidden|original|developer|starting|set-?up) (?:prompt|messages?|instructions?|text|setup|context)\\b(?!.{0,20}\\b(?:is|are|will be) (?:not|never))',
    ),
    re(
      '\\b(?:everything|all|copy of (?:everything|all|what)|what(?:ever)?) (?:that )?(?:was|has been|were|you two have|both) (?:written|said|typed|discussed|exchanged|entered)\\b|\\b(?:last|previous|recent|first|preceding) (?:\\w+ )?messages of (?:the|this|your)\\b',
    ),
    re(
      '\\b(?:wording|text|copy|contents?|words|summary|list) of your (?:own )?(?:instructions?|prompts?|orders|rules|setup|guidelines)\\b|\\byour (?:own )?(?:instructions?|prompts?|orders|setup)\\b.{0,24}\\b(?:unabridged|verbatim|in full|word for word|in this field|in front of|at the (?:start|beginning|top)|unchanged|as they are)',
    ),
    re(
      '\\bwhat (?:have|were|had) you (?:been )?(?:told|instructed|asked|ordered) to\\b|\\bwhat the user (?:has |had )?(?:told|said|written|asked|typed)\\b.{0,30}\\b(?:up to|so far|until|pass|here|before)\\b',
    ),
  ],
  reviewer: [
    re(
      '\\b(?:reviewers?|auditors?|moderators?|scanners?|curators?|whoever (?:or whatever )?(?:audits|reviews|checks|scans)|(?:if|when) you are (?:checking|reviewing|auditing|scanning|evaluating|analy[sz]ing)|(?:automated|security) (?:reviews?|scans?|audits?|analysis))\\b.{0,80}\\b(?:harmless|as safe|is safe|benign|approve (?:it|this)|no (?:problems?|issues?|threats?|findings?|risks?) (?:was|were|is|are)|stop (?:here|reading|scanning)|skip (?:this|the rest)|already (?:been )?(?:checked|examined|verified|reviewed|approved|audited)|(?:was|been) (?:examined|checked|verified|reviewed|approved|audited) before|false positive)',
    ),
    {
      all: [
        /\b(?:(?:ai |human |automated |security |code )?(?:reviewers?|auditors?|moderators?|curators?|graders?|scanners?|evaluators?)|(?:language )?models? (?:that|which) (?:grades?|reviews?|rates?|checks?|scans?|evaluates?|analy[sz]es?)|whoever (?:or whatever )?\w+ this|anyone (?:reviewing|auditing|checking) this)\b/,
        /\b(?:should|must|can|may|please|need(?:s|ed)? (?:not|no)|do not|don['’]t|is to|are to|has been|have been|was|were|report|mark|rate|treat|consider)\b/,
        /\b(?:harmless|safe|benign|clean|verified|approved?|trusted|trustworthy|out of scope|do not (?:report|flag|analy[sz]e|look|read)|skip(?:ped)?|ignored?|stop|no (?:risks?|problems?|issues?|threats?|findings?|need)|certified|audited|false positives?|low risk|nothing (?:to|suspicious|wrong))\b/,
      ],
    },
    re(
      '\\b(?:to the|to any|dear|note (?:to|for)|attention|if you are (?:an?|the)|any) (?:\\w+ ){0,3}(?:scanners?|reviewers?|auditors?|moderators?|checkers?|graders?|models? that (?:evaluat|review|rat|grad|check|analy)\\w+)\\b.{0,80}\\b(?:trusted|safe|harmless|benign|low risk|approved?|clean|pass(?:ed)?|skip|ignore|verified|not (?:report|flag|analy)\\w*|accept)',
    ),
    re(
      '\\b(?:audit|security review|scan|review) (?:result|status|verdict|outcome)s?\\b ?[:=]? ?.{0,10}\\b(?:passed|clean|ok|approved|safe|none|no)\\b|\\bno further (?:analysis|review|checks?|scans?|inspection)\\b|\\breviewers? (?:can|may|should) (?:safely )?skip\\b',
    ),
    re(
      '\\b(?:an? )?(?:ai|llm|bot|model)\\b.{0,8}\\b(?:reviewing|checking|auditing|scanning|analy[sz]ing|evaluating) (?:this|the)\\b|\\bclassify (?:it|this)\\b.{0,16}\\b(?:as|benign|safe)|\\b(?:verified|certified|vetted|cleared|approved)(?: as)?(?: safe| secure)? by (?:the )?(?:security|review|audit|anthropic|openai|google|npm|registry)|\\bskip (?:the )?(?:scan|scanning|analysis|review)\\b',
    ),
  ],
};
