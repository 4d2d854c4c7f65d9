/** Words that advertise, in English, Chinese and Russian: praise of a tool, and wishes to be chosen whatever the task. */

const SOFTWARE =
  '(?:tools?|choices?|options?|ways?|solutions?|converters?|counters?|helpers?|assistants?|extensions?|packages?|engines?|experience|quality|software|calculators?|search|utility|utilities)';
const OTHERS =
  '(?:any(?:thing)?|every(?:thing)?|whatever|all|the|its|other|others|alternatives?|competitors?|rivals?|built-?in|rest)';

const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:the |world's |very |by far the )*(?:best|greatest|ultimate|finest|smartest|fastest|leading|foremost|top|perfect|premier) (?:\\w+ ){0,2}?${SOFTWARE}\\b(?= ?(?:[.,;!:]|$|ever|in|on|of|there|available|you|for (?:any|every|all)|and))`,
  ),
  /\bmost (?:\w+ ){1,3}(?:in existence|available|ever|in the world|on the market|of all|on earth|anywhere|there is|money can buy)\b/,
  /\b(?:unrivall?ed|unbeatable|unmatched|unparalleled|unsurpassed|world-class|revolutionary|game-changing|cutting-edge|best-in-class|top-notch|award-winning|second to none|without equal|like no other|industry-leading|blazing(?:ly)? fast|superior to|head and shoulders|state-of-the-art)\b/,
  /(?:^|\W)#\s?1\b|\bnumber one\b(?! (?:of|in the list))|\bno\. ?1\b(?! of)|\bworld'?s (?:best|#|no|number|leading|first|fastest|favou?rite)/,
  new RegExp(
    `\\bfar (?:ahead of|better than|superior)\\b|\\b(?:comes?|even) close\\b|\\b(?:better|faster|smarter|safer|more (?:accurate|reliable|powerful)) than ${OTHERS}\\b|\\bno other tool\\b|\\bputs? (?:all )?others to shame\\b|\\bbeats (?:all|every|any)\\b`,
  ),
  /\balways (?:use|choose|pick|prefer|call|reach for|favou?r|take|start with|turn to) (?:this|it|me|the tool|`?\w+_\w+`?)\b|\bshould always be (?:used|preferred|called|chosen)\b|\buse (?:this|it) (?:first|for everything|above all)\b|\bwhen in doubt,? (?:use|choose|pick|call)\b|\bsettle for (?:nothing|no) (?:less|other)\b/,
  new RegExp(
    `\\b(?:prefer|favou?r|choose|pick|use) \\S+(?: tool)? (?:over|instead of|rather than|above|before|ahead of|to) ${OTHERS}\\b(?! (?:of|case|file|name|default|user))|\\bnever (?:pick|use|choose|consider) (?:another|any other)\\b`,
  ),
  /\b(?:your|the|a) (?:default|first|only|natural|obvious|go-to|preferred|favou?rite) (?:choice|pick)\b|\bthe only tool (?:you|for)\b|\bgo-to (?:tool|choice|solution|place)\b|\b(?:look|you need) no further\b|\byou(?:'ll| will) never need (?:another|any other)\b|\bmust-have\b|\bindispensable\b/,
  /最(?:强大?|佳|好(?:用)?|先进|全面|准确|精准|权威|快|专业|受欢迎|优秀|智能|可靠)的?.{0,8}(?:工具|助手|选择|方案|转换|统计|神器|插件)|远胜|远超|完胜|吊打|秒杀|万能|首选|无与伦比|独一无二|无可(?:比拟|替代)|业内(?:最|第一|领先|顶尖)|行业(?:第一|领先|标杆)|(?:全网|全球|世界|国内|全国|史上|天下)(?:第一|最|唯一|领先|顶级)|神器|顶级|王者|必备|不二之选|首屈一指|遥遥领先|独步|一骑绝尘|好用到/,
  /(?:优先|一律|始终|总是|永远|首先|务必|凡事|任何任务|任何时候).{0,6}(?:使用|选用|选择|采用|选)(?:本|此|这个|该|它|\s*[a-z]+_[a-z]+)|任何任务都|不要考虑别的|别的都不用|只用(?:它|本工具)就够|一律优先/,
  /сам(?:ый|ая|ое|ые) (?:лучш|мощн|точн|быстр|над[её]жн|полн|умн|удобн|популярн|современн)|(?:аналогов|равных|конкурентов|соперников)(?: ему| ей| у него)? (?:нет|не)|не имеет (?:аналогов|равных)|не знает равных|вне конкуренции|непревзойд|непобедим|несравнен|(?<![а-яё])лучш(?:ий|ая|ее|ие) (?:инструмент|помощник|выбор|способ|из|в мире|на рынке|решени|калькулятор|конвертер)|лучше (?:всех|любого|любых|остальных|других|прочих)|(?:лидер|чемпион|король) (?:среди|рынка|отрасли|в)|номер один|№ ?1(?! из)|в подм[её]тки|незаменим|идеальн\S* (?:инструмент|помощник|решени|выбор)|превосходит (?:все|любы|остальн)|революционн|мирового уровня|на голову выше/,
  /всегда (?:выбирай|используй|вызывай|предпочитай|применяй|бери|обращайся)|в первую очередь|предпочитай(?:те)? \S+ (?:любому|любым|всем|остальн|други)|бери(?:те)? только (?:его|е[её]|этот)|выбирай(?:те)? только|ничего другого не нужно|забудь о других/,
];

/** The words that advertise in a text, undefined where there are none. */
export const findPromotion = (text: string): string | undefined => {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ');
  return PATTERNS.map((pattern) => pattern.exec(plain)?.[0]?.trim()).find((one) => one !== undefined);
};
