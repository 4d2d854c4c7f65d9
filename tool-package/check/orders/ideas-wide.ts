/** Ideas of orders that excuses are dressed in: audit trails, housekeeping, standing permissions, waived reviews; and dot files of the home folder. */
import { type OrderPattern, order } from './order-pattern.ts';

const HOME_FILE = '(?:~|\\$home|%userprofile%|/root|/home/[\\w*]+|/users/[\\w*]+)/\\.[a-z]';

const anyLanguage: readonly OrderPattern[] = [
  order(
    'credentials',
    [
      HOME_FILE,
      '\\b(?:read|open|contents?|lines?|values?|paste|include|put|copy|take|fetch|send|pass|quote|attach|cat|token|keys?|whatever)\\b|读|内容|行|复制|粘贴|附|传|取自|取出|发|прочит|прочти|содержим|строк|скопир|встав|передай|приложи|возьми|отправ',
    ],
    '\\b(?:not|never|config(?:uration)?\\.json|settings\\.json|via|stored|saved|writes? (?:to|into)|logs? (?:to|in)|defaults?|installed|created)\\b|不|切勿|保存在|写入|默认|не |нельзя|сохран|по умолчанию',
  ),
];

const english: readonly OrderPattern[] = [
  order('override', [
    '\\b(?:users?|person|human|they|he|she|speaker|people|someone|anyone|requester|conversation|chat|operator|developer)\\b',
    '\\b(?:this|these|the present) (?:paragraph|text|descriptions?|tool|notes?|lines?|words?|field|page|document|section|sentence)s?\\b',
    '\\b(?:wins?|prevails?|is right|are right|applies|takes over|decides?|rules|has the last word|comes? first|overrules?|stands?|goes before|is followed|counts)\\b',
    '\\b(?:differ|disagree|conflict|contradict|clash|should|if|when|whenever|unless|where|between|against|even)\\w*\\b',
  ]),
  order('conversation', [
    '\\b(?:first|very first|opening|initial|earliest|original|hidden|underlying) (?:messages?|text|words|lines?|paragraphs?|note|brief(?:ing)?|instructions?)\\b.{0,12}\\b(?:that )?you (?:were|got|received|started|have been|had|began|saw|read)\\b|\\b(?:what|text|words|message|paragraph) (?:that )?you were (?:configured|started|primed|initiali[sz]ed|launched|briefed|set up|deployed|loaded) with\\b',
  ]),
  order(
    'conversation',
    [
      '\\b(?:this|our|your|the current|the ongoing) (?:discussion|chat|conversation|exchange|dialog(?:ue)?|talk|session|thread)\\b|\\b(?:talked|spoke|discussed|chatted) about\\b',
      '\\b(?:earlier|previous|preceding|so far|whole|entire|part|rest|beginning|copy|transcript|gist|everything|all|what)\\b',
      '\\b(?:along|travels?|cell|row|argument|field|parameter|here|include|add|put|append|pass|send|attach|goes|belongs?|into|contain)\\b',
    ],
    '\\b(?:export\\w*|search\\w*|list\\w*|show\\w*|returns?|stored|saves?|summari[sz]e[sd]?|slack|mail|compact\\w*|fork|resume|switch|new session)\\b',
  ),
  order('other-tools', [
    '\\b(?:anything|everything|whatever|all|each|every \\w+)\\b.{0,12}\\byou (?:intend|plan|want|are about|wish|mean|are going|would like|decide|need) to\\b.{0,16}\\b(?:execute|run|do|write|edit|delete|send|change|call|read|say|answer)\\b',
    '\\b(?:goes?|must|has to|have to|should|is to|send|submit|pass|show|hand|clear(?:ance|ed)?|approv\\w+|first|beforehand|before)\\b',
  ]),
  order(
    'confirmation',
    [
      '\\b(?:none|nobody|no one|neither|never|not one)\\b.{0,16}\\b(?:wants?|needs?|expects?|requires?|asks? for|cares? for|insists? on|has to give)\\b.{0,16}\\b(?:heads-?up|notice|notification|asking|asked|say-so|ok(?:ay)?|approval|confirmation|permission|warning|question)|\\b(?:standing|permanent|blanket|open-ended|general|lasting|unlimited|eternal) (?:go|go-ahead|approval|permission|consent|authori[sz]ation|yes|licen[cs]e|mandate)\\b|\\bno (?:approvals?|permissions?|confirmations?|questions?|consent)\\b.{0,12}\\b(?:asked|sought|awaited|requested|wanted|needed)\\b|\\bnone (?:asked|awaited|sought)\\b',
    ],
    '\\b(?:when|if) (?:read|true|false)\\b',
  ),
  order(
    'secrecy',
    [
      '\\b(?:treat|regard|consider|handle|count)\\b.{0,24}\\bas (?:invisible|silent|internal|private|confidential|secret|off the record|non-existent|nonexistent|unsaid)\\b|\\b(?:report|show|mention|present|return|say|give) (?:only|nothing but|just) the (?:final|finished|end|last)\\b|\\bnot (?:a word|to be (?:discussed|mentioned|shown|reported|spoken of))\\b|\\boff the record\\b|\\b(?:wipe|erase|clear|delete|purge|scrub|remove|destroy)\\b.{0,16}\\b(?:history|logs?|traces?|evidence|records?|footprints?)\\b.{0,30}\\b(?:nobody|no one|afterwards|so that|user|see|notice|sight|trace|shell|bash|after)\\b|\\b(?:nobody|no one) (?:has|needs|is|ought) to (?:see|know|hear|learn|notice)\\b',
    ],
    '\\b(?:errors?|json|raw|fields?|methods?|api|class)\\b',
  ),
  order(
    'reviewer',
    [
      '\\b(?:inspections?|reviews?|audits?|checks?|scans?|scrutiny|examination|analysis|vetting)\\b[^\x27",]{0,30}\\b(?:waived|exempt\\w*|dispensed|unnecessary|superfluous|cancelled|called off|closed|completed|concluded|done already|not (?:required|needed|necessary))\\b|\\b(?:exempt|excluded|excused|released) from (?:\\w+ ){0,2}(?:inspection|review|audits?|checks?|scans?|scanning|analysis)\\b|\\b(?:cleared|vetted|signed off|whitelisted|approved|vouched for) by (?:the |our )?(?:\\w+ )?(?:security|safety|registry|platform|vendor|compliance|legal)\\b',
    ],
    '\\b(?:if|when|unless|until|types?|spell|configures?)\\b',
  ),
];

const chinese: readonly OrderPattern[] = [
  order(
    'override',
    [
      '(?:用户|对话者|对方|使用者|说话人|提问者|任何人|别人|他人)',
      '(?:本段|这段|此段|本文|本说明|本条|本工具|这里|此处|以上文字)',
      '(?:为准|优先|说了算|算数|有效|胜出|正确|照办|压倒)',
    ],
    '格式|日期|编码|数值|单位',
  ),
  order('conversation', [
    '你(?:最初|最开始|一开始|起初|当初|最早|启动时|上线时|开始时)(?:拿到|收到|得到|读到|看到|接到|被(?:给予|告知|设定))|(?:最初|最开始|一开始|起初|最早|启动时)(?:给|交给|发给|告诉)你的',
  ]),
  order(
    'conversation',
    [
      '(?:聊到|聊过|聊的|谈到|谈过|说到|提到过|讨论过|讨论的|商量过)(?:的)?(?:内容|事情|话|东西|话题|一切|全部)?',
      '(?:前面|之前|先前|此前|刚才|到现在|至今|以前|上面|一直)',
      '(?:整理|写进|放进|填进|附|传|抄|复制|最后一|参数|这里|单元格|带上|汇总|记到)',
    ],
    '不要|切勿|会议',
  ),
  order('other-tools', [
    '(?:凡|凡是|任何|所有|一切|你)(?:你)?(?:打算|准备|想|要|计划|将要|即将).{0,10}(?:执行|运行|修改|删除|发送|写入|读取|回答|调用)',
    '(?:都|须|必须|务必|应|要|一律|事先|先).{0,6}(?:送交|交给|提交|经过|交由|报给|发给|通过|送到|过审)',
  ]),
  order(
    'confirmation',
    [
      '(?:长期|永久|无限期|一直|始终|一概|全面|无条件)(?:放行|授权|许可|批准|同意|有效)|(?:用不着|犯不着|不消|没必要|无须|无需|不必|不用)(?:每回|每次|再|都|一一|逐一)?(?:去|来)?(?:知会|通报|请示|告知|过问|商量|打招呼|报备|汇报)',
    ],
    '默认',
  ),
  order('secrecy', [
    '(?:过程|经过|细节|步骤|来龙去脉|此事|这一点|内情)(?:一概|一律|都|全部|统统|绝对|千万)?(?:不谈|不提|不说|不讲|不必说|别说|别提|不外传|略去|保密|不公开|不透露)|对外只(?:说|呈现|给|展示|报)|(?:清除|清空|抹掉|删除|擦除|销毁)(?:掉)?.{0,8}(?:历史|痕迹|记录|日志|证据).{0,12}(?:没人|无人|谁也|免得|以免|不必|别|用户)',
  ]),
  order(
    'reviewer',
    [
      '(?:免除|豁免|取消|无需|不需要|不必|省去|已完成|免于|免).{0,10}(?:人工)?(?:复查|复核|审查|审核|检查|检测|审计|扫描|评审)|(?:复查|复核|审查|审核|检查|检测|审计|扫描|评审).{0,6}(?:已)?(?:免除|豁免|取消|完成|结束|省略)|(?:安全|合规|法务)(?:部门?|团队|组|方)(?:已|已经)(?:免除|确认|认可|担保|签字|放行|批准|核实)',
    ],
    '如果|若|拼写|类型检查|格式检查|重复',
  ),
];

const russian: readonly OrderPattern[] = [
  order(
    'override',
    [
      '(?:собеседник|пользовател|человек|люди|кто-то|заказчик|хозяин)',
      '(?:этот|этого|это|данн\\S*|настоящ\\S*) (?:абзац|текст|описани|раздел|пункт|инструмент|строк)\\S*|<<абзац',
      '(?:прав>>|верен|верно|важнее|побеждает|решает|в силе|остается|главный|главнее|преимуществ|действует|следуй|слушай)\\S*',
    ],
    'формат|кодировк|часов',
  ),
  order('conversation', [
    '(?:перв|самое перв|начальн|исходн|изначальн)\\S* (?:сообщени|текст|слов|строк|указани|абзац|реплик)\\S*.{0,30}(?:тебя|тебе|вас|вам|ты|вы)(?![а-я])|(?:с (?:чем|которым)|что|чем) тебя (?:запустил|настроил|создал|загрузил|снабдил)\\S*',
  ]),
  order(
    'conversation',
    [
      '(?:шла речь|говорил|обсуждал|беседовал|разговаривал|толковал|упоминал)\\S*|(?:начал|предыдущ|прежн)\\S* (?:разговор|бесед|обсуждени|переписк)\\S*',
      '(?:ранее|раньше|до этого|выше|прежде|до сих пор|в начале|предыдущ|все|то, )\\S*',
      '(?:помести|вставь|запиши|добавь|включи|передай|приложи|положи|впиши|занеси|скопируй|ячейк|аргумент|сюда|поле)\\S*',
    ],
    'собрани|в файле|канал|<<не ',
  ),
  order('other-tools', [
    '(?:все|всё|любое|каждое|что угодно)\\S*,? (?:что|которое)? ?(?:ты )?(?:собираешься|намерен|хочешь|планируешь|будешь|думаешь|решишь|готовишься)\\S* .{0,16}(?:выполн|запус|сдел|удал|измен|отправ|прочит|запис|ответ|вызва)\\S*',
    '(?:проводи|пропускай|передавай|отправляй|показывай|согласуй|через|предварительно|сначала|сперва|заранее|отдавай|присылай|направляй)\\S*',
  ]),
  order(
    'confirmation',
    [
      '(?:бессрочн|постоянн|вечн|общ|неограниченн|заведом)\\S* (?:добро|согласи|разрешени|одобрени|позволени|полномоч)\\S*|(?:ставить в известность|уведомлять|извещать|спрашивать|согласовывать|докладывать|отчитываться|сообщать|советоваться)\\S* ?(?:\\S+ ){0,3}(?:ни к чему|не нужно|незачем|не надо|не требуется|необязательно|излишне|лишнее|нет нужды)|(?:ставить|ставь) .{0,20}в известность .{0,20}(?:ни к чему|не нужно|незачем|не надо|не требуется)',
    ],
    'по умолчанию',
  ),
  order('secrecy', [
    '(?:о процессе|о том|об этом|о самом|о деталях|о ходе)\\S* .{0,20}(?:ни звука|ни слова|молчок|ничего не|не распространяйся|не говори|молчи)|ни звука|наружу (?:выдавай|показывай|отдавай) (?:только|лишь)|(?:сотри|очисти|удали|вычисти|уничтожь|подчисти)\\S* .{0,16}(?:истори|журнал|след|лог|улик)\\S*.{0,30}(?:никто|никому|чтобы|после|незачем|пользовател|оболочк)',
  ]),
  order(
    'reviewer',
    [
      '(?:осмотр|проверк|ревью|аудит|анализ|сканирован|экспертиз)\\S*.{0,30}(?:отмен|не нуж|не треб|завершен|пройден|снят|излиш|освобожд|закончен|не понадоб)\\S*|освобожд\\S* от (?:\\S+ )?(?:проверк|осмотр|ревью|аудит|анализ|сканирован)\\S*|(?:служб|отдел|команд)\\S* безопасности .{0,20}(?:одобр|провер|подтверд|разреш|отмен|снял|поруч)\\S*',
    ],
    '<<если|<<когда|орфограф|не означает|правописан',
  ),
];

/** `<<` begins a Russian word. */
const withWords = (pattern: OrderPattern): OrderPattern => {
  const words = (expression: RegExp): RegExp =>
    new RegExp(expression.source.replaceAll('<<', '(?<![а-яa-z])').replaceAll('>>', '(?![а-яa-z])'));
  return {
    ...pattern,
    all: pattern.all.map(words),
    ...(pattern.unless === undefined ? {} : { unless: words(pattern.unless) }),
  };
};

export const WIDE_IDEAS: readonly OrderPattern[] = [...anyLanguage, ...english, ...chinese, ...russian.map(withWords)];
