/** Orders in English. */
import type { Phrases } from './phrases.ts';

/** Built-in names of the agents, as a group. */
export const TOOL_NAMES =
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
      "\\b(?:never|do not|don['’]t|no need to|need not)\\b (?:\\w+ ){0,4}?(?:ask|wait|pause|stop)\\b.{0,30}\\b(?:confirm\\w*|approv\\w*|permission|consent|user|human|go-ahead)\\b",
    ),
    re(
      '\\bno need to (?:ask|confirm|check back|show (?:anything|it))\\b|\\bauto-?approve\\b|\\b(?:treat|regard|count) .{0,30} as (?:approved|confirmed|consent|agreed|a yes)\\b',
    ),
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
  ],
  reviewer: [
    re(
      '\\b(?:reviewers?|auditors?|moderators?|scanners?|curators?|whoever (?:or whatever )?(?:audits|reviews|checks|scans)|(?:if|when) you are (?:checking|reviewing|auditing|scanning|evaluating|analy[sz]ing)|(?:automated|security) (?:reviews?|scans?|audits?|analysis))\\b.{0,80}\\b(?:harmless|as safe|is safe|benign|approve (?:it|this)|no (?:problems?|issues?|threats?|findings?|risks?) (?:was|were|is|are)|stop (?:here|reading|scanning)|skip (?:this|the rest)|already (?:been )?(?:checked|examined|verified|reviewed|approved|audited)|(?:was|been) (?:examined|checked|verified|reviewed|approved|audited) before|false positive)',
    ),
  ],
};
