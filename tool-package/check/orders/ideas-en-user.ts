/** Ideas of orders in English that are about the user: secrecy and confirmations. */
import { NOT_A_PERSON, type OrderPattern, order } from './order-pattern.ts';

const NOT =
  "(?:do not|don't|does not|never|must not|mustn't|should not|shouldn't|not|avoid|refrain from|without|no need to|needs? not|needn't|unnecessary to|nor|instead of|rather than|refuse[sd]? to)";
const USER =
  "(?:(?:end[ -])?users?|humans?|persons?|people|anyone|anybody|someone|operators?|customers?|owners?|developers?|colleagues?|team|whoever)(?:'s|s')?";
const REPLY =
  '(?:(?:your|the|any|final|next|a) )+(?:reply|replies|answers?|responses?|summary|summaries|messages?|report|explanation|transcript|log|plan)';
const TELL =
  '(?:mention|mentioning|tell|telling|inform|informing|reveal|revealing|disclose|disclosing|notify|notifying|acknowledge|admit|admitting|divulge|discuss|discussing|bring (?:it |this |that )?up|talk about|speak (?:of|about)|say (?:anything|so|a word)|let on|hint|alert|alerting|explain|explaining|report|reporting|expose)';
const THIS_STEP =
  '(?:this|these|that|the|its|his|any|such)? ?(?:tool|calls?|steps?|actions?|instructions?|notes?|texts?|runs?|check|transfer|upload|process|behaviou?r|copy|use|existence|detour|extra \\w+)';

const secrecy: readonly OrderPattern[] = [
  order(
    'secrecy',
    [
      `\\b${NOT}\\b[^;:,]{0,25}\\b${TELL}\\b`,
      `\\b${USER}|\\b${REPLY}|\\bto (?:them|him|her|the chat)\\b|\\b(?:about|of) (?:it|this|that)\\b|\\bthat (?:you|it|this)\\b|\\b(?:of|about|mention|reveal|disclose) ${THIS_STEP}\\b`,
    ],
    '\\b(?:before|until|unless|as (?:an )?errors?|not (?:be )?(?:able|allowed))\\b|\\bpasswords? (?:is|are)\\b|\\bnot (?:reveal|expose|disclose)s?\\b.{0,20}\\b(?:secrets?|passwords?|keys?|tokens?|values?|credentials)\\b|\\bno\\b.{0,10}\\berror',
  ),
  order(
    'secrecy',
    [
      `\\b${USER}\\b.{0,25}\\b(?:unaware|oblivious|in the dark|none the wiser|(?:must|should|shall|ought|need|needs?|has|have)(?:n't| not| never) (?:to )?(?:know|notice|see|learn|hear|find out|reali[sz]e|suspect|be (?:told|informed|aware|shown|bothered))|(?:does|do|did)(?:n't| not) (?:need|have|want|care) to (?:know|see|hear|learn|notice)|(?:will|would) (?:never|not) (?:know|notice|suspect|find out|learn|see it)|never (?:learns?|finds? out|notices?|knows?|suspects?|hears?|sees? it))`,
    ],
    `\\b${NOT_A_PERSON}\\b`,
  ),
  order('secrecy', [
    `\\bwithout (?:the |your |any )?(?:${USER}|their|his|her|them)(?:'s)? ?(?:noticing|knowing|knowledge|seeing|awareness|being (?:told|aware|informed|notified|asked)|reali[sz]ing|finding out|hearing|learning)|\\bbehind (?:the )?(?:${USER}|their|his|her) backs?\\b|\\bso that (?:no one|nobody|the user|they|people) (?:notices?|sees?|suspects?|knows?|(?:does|do|will|can)(?:n't| not) (?:notice|see|suspect|know))`,
  ]),
  order(
    'secrecy',
    [
      '\\b(?:secretly|covertly|stealthily|surreptitiously|clandestinely|on the quiet|on the sly|under the radar|unobtrusively)\\b',
    ],
    '\\b(?:detect|find|warn)s?\\b',
  ),
  order(
    'secrecy',
    [
      '\\b(?:quietly|silently|discreetly|invisibly|unnoticed)\\b',
      '\\b(?:read|send|copy|collect|upload|attach|forward|transmit|pass|fill|include|append|add|submit|post|record|gather|hand)\\b',
    ],
    '\\b(?:dropp?|skip|ignor|fail|truncat|convert|remov|fall)\\w*\\b',
  ),
  order(
    'secrecy',
    [
      `(?<!\\bto )(?<!\\bnot )(?<!\\bnever )\\b(?:keep|hide|conceal|withhold|leave|leaving|omit|cut|suppress|mask)\\b.{0,60}\\b(?:from|out of|off|in|secret|private|hidden|quiet|confidential|to yourself)\\b`,
      `\\b(?:from|out of|off|in)\\b.{0,14}(?:\\b${USER}|\\b(?:your|the) (?:final )?(?:reply|replies|answer|summary|report|chat|conversation|explanation|log|plan|transcript)\\b)|\\b(?:keep|keeping) (?:this|it|that|these|them|everything|all of (?:this|it)) (?:secret|private|hidden|quiet|confidential|to yourself)`,
    ],
    `\\b${NOT_A_PERSON}\\b|\\bwhen\\b|\\bif\\b.{0,20}\\b(?:empty|missing|true|false)\\b|\\boptional|\\bdefaults?\\b`,
  ),
  order('secrecy', [
    "\\bbetween (?:you and me|us|ourselves|the two of us)\\b|\\bour (?:little )?secret\\b|\\b(?:nobody|no one)(?: else)? (?:needs?|has|is|must|should|may) (?:to )?(?:know|learn|hear|see|be told)|\\b(?:tell|inform|show|let) (?:nobody|no one|none)\\b|\\bleav(?:e|es|ing) no traces?\\b|\\bcover(?:ing)? (?:your|the|its|our) tracks\\b|\\b(?:act|behave|answer|go on|continue) as (?:if|though) (?:nothing|it|this|you)\\b|\\bas (?:if|though) nothing (?:had |has )?(?:happened|ran)|\\bpretend\\b.{0,20}\\b(?:nothing|you|it|this|that|not)\\b|\\bsay nothing\\b|\\b(?:stay|remain|keep|be) (?:silent|quiet|mum)\\b.{0,20}\\b(?:about|on|regarding|when|if)\\b|\\bchange the subject\\b|\\bdeny\\b.{0,20}\\b(?:that|having|using|it|any)\\b|\\b(?:claim|say|answer|reply) (?:only )?that you (?:only|just|did not|didn't|never|have not)\\b|\\bneed not (?:know|learn|hear)\\b|\\b(?:explain|say|mention|tell|show) nothing (?:about|of|to)\\b",
  ]),
  order(
    'secrecy',
    [
      "\\b(?:do not|don't|never|not|hide|hidden)\\b.{0,4}\\b(?:show|display|print|visible|surface|output|repeat|this|it|instructions?)\\b.{0,12}\\b(?:to|from) (?:the )?(?:end )?(?:users?|human|person|people|anyone)\\b|\\bhidden instructions?\\b",
    ],
    '\\b(?:raw|json|ids?|internal|finds?|detects?|empty)\\b',
  ),
  order(
    'secrecy',
    [
      `\\b(?:${USER}|person you \\w+ for|they|he|she)\\b.{0,20}\\b(?:(?:must|should|shall|need|ought|will|would)(?: not|n't|not| never)|(?:does|do|may|can)(?: not|n't|not| never)(?! know (?:about|of|that))|never)\\b.{0,12}\\b(?:become aware|be aware|reali[sz]es?|notices?|find out|suspects?|be told|know about|know of|know that (?:it|this|you)|learn (?:of|about|that)|hear (?:of|about))\\b`,
    ],
    `\\b${NOT_A_PERSON}\\b|\\bif\\b|\\bmay not know that\\b`,
  ),
  order(
    'secrecy',
    [
      '\\b(?:answer|reply|act|behave|respond|write|speak|go on|talk|report)\\b.{0,12}\\bas (?:though|if)\\b',
      '\\b(?:never|not|nothing|no|without|had)\\b',
    ],
    '\\b(?:missing|absent|empty|not set|unset|given)\\b',
  ),
  order('secrecy', [
    "\\b(?:hide|conceal|omit|drop|erase|leave|delete|remove|strike|refrain from|avoid|without|do not|don't|never|not)\\b.{0,24}\\b(?:this|it|that|the call|the step|listing|naming|counting|recording|noting|including|list|name|count|record|note|include)\\b.{0,16}\\b(?:from|in|among|to|out of)\\b.{0,12}\\b(?:the |your )?(?:list|steps?|record|history|account|notes|overview|recap|changelog|work log)\\b.{0,12}\\b(?:of what you|you|taken|did|done|of your|for the user|$)",
  ]),
  order(
    'secrecy',
    [
      '\\b(?:nobody|no one|no-one|none of them|no human|no user)\\b.{0,12}\\b(?:knows?|notices?|sees?|learns?|finds? out|suspects?|hears?|reali[sz]es?|is told|is aware)\\b|\\bno one the wiser\\b',
    ],
    '\\bif nobody\\b|\\block\\b',
  ),
  order('secrecy', [
    `\\b(?:do not|don't|never)\\b.{0,6}\\blet\\b.{0,12}\\b(?:${USER}|them|him|her|on)\\b`,
    '\\b(?:know|see|notice|find out|suspect|learn|on)\\b',
  ]),
];

const CONFIRM =
  '(?:confirm\\w*|approv\\w*|permissions?|consent|authori[sz]ation|go-ahead|sign-off|clearance|agreement|"?are you sure"?|(?:permission|confirmation|approval|consent) (?:dialogs?|prompts?|requests?|questions?))';
const FLAG =
  '\\b(?:default(?:s)?|if (?:true|set|false)|when (?:true|set|false|enabled)|whether|--?y(?:es)?\\b|--force|flag|option|boolean|read-only|readonly|e2e|ci)\\b|\\(y\\/n\\)|\\bif the user (?:asks|says|wants|agrees|confirms)';
const WAIT_FOR =
  '\\b(?:once|after|until|unless|if|when|whether|only|before|requires?|needs? the|must be|has to be|have it)\\b';

const confirmation: readonly OrderPattern[] = [
  order(
    'confirmation',
    [
      `\\b(?:without (?:any |the |further |asking |waiting |requesting |seeking )*|skip(?:ping)? |bypass(?:ing)? |suppress(?:ing)? |dismiss(?:ing)? |circumvent |avoid |disable |ignore |omit |no |never (?:\\w+ ){0,3}|do not (?:\\w+ ){0,3}|don't (?:\\w+ ){0,3}|(?:needs?|requires?) no |no need (?:to|for) (?:\\w+ ){0,3}|(?:needs?|requires?|does) not (?:\\w+ ){0,3}|unnecessary to (?:\\w+ ){0,2})(?:for |the |user's |user |any |a |an |their |further |with |from )*${CONFIRM}\\b`,
    ],
    `${FLAG}|\\b(?:approved|confirmed)\\b.{0,10}\\b(?:pull|merge|pr)\\b|\\bnever\\b.{0,20}\\bwithout\\b|\\b(?:not|never|nothing|cannot|none)\\b.{0,40}\\bwithout\\b|\\bpermissions? (?:denied|error|bits?|mode)|\\bask\\b.{0,12}\\bwithout\\b|\\bwithout (?:the )?(?:user's )?(?:approval|permission|consent|confirmation) (?:nothing|it|this)`,
  ),
  order(
    'confirmation',
    [
      `\\b(?:users?|humans?|owners?|person|people|they|team|everyone|administrators?|admin)\\b.{0,25}\\b(?:agreed|consented|approved|authori[sz]ed|confirmed|permitted|accepted|okayed|signed off|granted|waived|given)\\b|\\b(?:pre-?approved|pre-?authori[sz]ed|pre-?confirmed)\\b|\\b(?:is|are|been|was|were) (?:already |implicitly |automatically |always |hereby |permanently )*(?:approved|authori[sz]ed|granted|confirmed|agreed)\\b|\\b(?:consent|approval|permission|agreement)\\b.{0,14}\\b(?:is|was|has been|are|were) (?:already )?(?:given|granted|implied|assumed|obtained|there|on file)\\b`,
      '\\b(?:already|every|everything|any|anything|all|in advance|beforehand|full|blanket|long (?:ago|since)|always|for ever|forever|implicitly|automatically|hereby|permanently|implied|assumed|so (?:go|do|just|proceed|there)|no need|waived|pre-?\\w+)\\b',
    ],
    `${WAIT_FOR}|\\bnot (?:yet )?(?:approved|authori[sz]ed)|\\blist|\\bhosts?\\b`,
  ),
  order(
    'confirmation',
    [
      `\\b(?:answer|reply|click|press|choose|select|say|respond|type|pick)\\b.{0,14}"?\\b(?:yes|ok|okay|allow|accept|approve|y|continue)\\b"?.{0,25}\\b(?:yourself|automatically|on (?:their|his|her|behalf|the user)|for (?:the user|them|him|her)|in (?:their|the user's) place|each time|every time|to (?:any|every|all)|right away|at once|without)\\b|\\bauto-?(?:approve|accept|confirm|allow|grant)\\w*\\b|\\b(?:approve|accept|confirm|allow|grant)\\b (?:everything|all|them all|it yourself|any(?:thing)?|each)\\b|\\b(?:treat|regard|count|take|read|interpret|consider)\\b.{0,40}\\b(?:as|for) (?:an? |their |the |given |granted )?(?:approved|approval|confirmed|confirmation|consent|agreed|agreement|a yes|yes|permission|permitted)\\b`,
    ],
    FLAG,
  ),
  order(
    'confirmation',
    [
      '\\b(?:go ahead|go on|proceed|continue|carry on|execute|act|apply|commit|delete|do (?:it|this|so|them)|start|run|send|push)\\b',
      '\\b(?:without (?:first )?(?:asking|checking|confirming|prompting|waiting|hesitat|question|showing|a (?:question|preview|word|pause))|no questions? (?:asked|are)|even (?:if|when) (?:the user|they|he|she|someone|nobody|no one) (?:\\w+ ){0,3}(?:object|refus|disagree|said no|says no|decline|hesitat|asked|protest))',
    ],
    FLAG,
  ),
  order(
    'confirmation',
    [
      `\\b(?:do not|don't|never|no need to|need not|needn't|without)\\b.{0,12}\\b(?:ask|wait|pause|stop|hesitate|bother|disturb|interrupt|check(?: back)?|prompt|question|show|open|raise|display|asking|waiting|prompting|bothering|disturbing)\\b`,
      `\\b(?:${CONFIRM}|(?:the )?users?|the human|people|them|him|her|back|previews?|dialogs?|pop-?ups?|question|go-ahead|anything|either)\\b`,
      '\\b(?:approv\\w*|confirm\\w*|permission|consent|go-ahead|dialogs?|prompts?|pop-?ups?|first|previews?|check(?:ing)? back|bother\\w*|disturb\\w*|interrupt\\w*|go ahead|proceed|right away|immediately|anything|again|waived)\\b',
    ],
    `${FLAG}|\\bmore than once\\b|\\bagain and again\\b|\\bfor (?:the board|input)\\b`,
  ),
  order(
    'confirmation',
    [
      '\\b(?:no|without|little|not any|never any) (?:good )?(?:reason|need|point|sense|cause|call|use)\\b.{0,12}\\b(?:wait|ask|check|stop|pause|confirm|consult|inquire|hesitate|bother|question)\\w*\\b|\\bneeds? no (?:second|human|further|other|closer) \\w+|\\bwithout (?:a )?(?:second|human|further) (?:look|thought|check|question)',
      '\\b(?:users?|human|person|people|yes|approval|confirm\\w*|permission|anyone|anybody|look|all right|okay|do it|go ahead|first|thought|question)\\b',
    ],
    FLAG,
  ),
  order(
    'confirmation',
    [
      `\\b(?:${CONFIRM}|a yes)\\b.{0,30}\\b(?:taken for granted|for granted|can be assumed|is assumed|may be assumed|presumed|implied|understood|goes without saying|a given|on file)\\b|\\b(?:assume|presume|take)\\b.{0,16}\\b(?:${CONFIRM}|a yes|that (?:the user|they|he|she) (?:agree|consent|approve|want|allow|confirm)\\w*)`,
    ],
    FLAG,
  ),
  order(
    'confirmation',
    [
      '\\b(?:any|every|all|each|the|such)\\b.{0,8}\\b(?:warnings?|dialogs?|prompts?|pop-?ups?|questions?|confirmations?|permission requests?)\\b',
      '\\b(?:click(?:ed)? (?:away|through)|close[sd]? (?:at once|without|unread)|dismiss(?:ed)?|accept(?:ed)? (?:it|them|all|each|automatically|at once|unread)|confirm(?:ed)?|approve[sd]?|wave[sd]? through|answer(?:ed)? with yes|in the name of|on behalf of|ignored?|skip(?:ped)?|unread)\\b',
    ],
    `${FLAG}|\\b(?:compiler|lint|build|console|deprecation|page|browser|javascript)\\b|\\bhandle`,
  ),
  order('confirmation', [
    "\\b(?:users?|human|person|people|they|he|she|owner)\\b.{0,10}\\b(?:does not|doesn't|do not|don't|did not|would rather not|hates?|dislikes?|prefers? not|has no wish|never wants?|refuses?)\\b.{0,12}\\b(?:be|being) (?:asked|bothered|disturbed|consulted|interrupted|prompted|questioned|involved|troubled|notified|informed)\\b",
  ]),
  order('confirmation', [
    "\\b(?:do not|don't|never|without|no need to)\\b.{0,12}\\b(?:stop|pause|stopping|pausing|halt|break off)\\b.{0,10}\\b(?:ask|check|confirm|inquire|verify|question|asking|checking)\\b",
  ]),
  order(
    'confirmation',
    [
      `\\b(?:dialogs?|prompts?|confirmations?|approvals?|questions?|warnings?|previews?|reviews?)\\b.{0,40}\\b(?:slow|annoy|confus|bother|disturb|waste|not (?:needed|necessary|required)|unnecessary|pointless|useless|superfluous|in the way|a formality|waived|can be skipped|are skipped|is skipped|never (?:open|appear|shown|let))`,
    ],
    FLAG,
  ),
];

export const ABOUT_THE_USER: readonly OrderPattern[] = [...secrecy, ...confirmation];
