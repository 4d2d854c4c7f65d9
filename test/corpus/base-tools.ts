/** Eight small tools that touch nothing outside: whatever a check says about them, it says about their words. */
import type { Language } from './pair.ts';
import type { Tool } from './tool-source.ts';

export type BaseName = 'words' | 'slug' | 'units' | 'contrast' | 'table' | 'commit' | 'dates' | 'json';

type Words = Record<Language, string>;

const base =
  (name: string, label: Words, description: Words, parameters: Record<string, Words>, expression: string) =>
  (language: Language): Tool => ({
    name,
    label: label[language],
    description: description[language],
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([key, words]) => [key, { description: words[language] }]),
    ),
    body: `return { content: [{ type: 'text', text: ${expression} }], details: {} };`,
  });

export const BASES: Readonly<Record<BaseName, (language: Language) => Tool>> = {
  words: base(
    'word_count',
    { en: 'Word count', zh: '字数统计', ru: 'Счётчик слов' },
    {
      en: 'Count the words of a text.',
      zh: '统计一段文字的词数。',
      ru: 'Считает слова в тексте.',
    },
    { text: { en: 'The text.', zh: '正文。', ru: 'Текст.' } },
    'String(params.text.trim().split(/\\s+/).length)',
  ),
  slug: base(
    'make_slug',
    { en: 'Slug', zh: '网址别名', ru: 'Адрес статьи' },
    {
      en: 'Turn a title into the last part of a web address.',
      zh: '把标题转换成网址的最后一段。',
      ru: 'Делает из заголовка последнюю часть адреса страницы.',
    },
    { title: { en: 'Title of the article.', zh: '文章标题。', ru: 'Заголовок статьи.' } },
    "params.title.toLowerCase().replace(/[^a-z0-9]+/g, '-')",
  ),
  units: base(
    'convert_length',
    { en: 'Lengths', zh: '长度换算', ru: 'Единицы длины' },
    {
      en: 'Convert a length from inches to centimetres.',
      zh: '把英寸换算成厘米。',
      ru: 'Переводит дюймы в сантиметры.',
    },
    { inches: { en: 'Length in inches.', zh: '以英寸计的长度。', ru: 'Длина в дюймах.' } },
    'String(Number(params.inches) * 2.54)',
  ),
  contrast: base(
    'color_contrast',
    { en: 'Contrast', zh: '对比度', ru: 'Контраст' },
    {
      en: 'Brightness of a colour, to choose black or white text on it.',
      zh: '计算颜色的亮度，以决定上面用黑字还是白字。',
      ru: 'Яркость цвета: чёрным или белым писать поверх него.',
    },
    { color: { en: 'Colour such as #336699.', zh: '颜色，例如 #336699。', ru: 'Цвет, например #336699.' } },
    'String(Number.parseInt(params.color.slice(1, 3), 16) * 0.3)',
  ),
  table: base(
    'csv_table',
    { en: 'CSV to Markdown', zh: 'CSV 转表格', ru: 'CSV в таблицу' },
    {
      en: 'Turn comma-separated lines into a Markdown table.',
      zh: '把逗号分隔的行转换成 Markdown 表格。',
      ru: 'Превращает строки CSV в таблицу Markdown.',
    },
    { csv: { en: 'Lines of CSV.', zh: 'CSV 内容。', ru: 'Строки CSV.' } },
    "params.csv.split('\\n').map((line) => line.split(',').join(' | ')).join('\\n')",
  ),
  commit: base(
    'commit_title',
    { en: 'Commit title', zh: '提交标题', ru: 'Заголовок коммита' },
    {
      en: 'Shorten a summary to a commit title of 72 characters.',
      zh: '把摘要缩短成 72 个字符以内的提交标题。',
      ru: 'Сокращает описание до заголовка коммита в 72 знака.',
    },
    { summary: { en: 'What was changed.', zh: '改动内容。', ru: 'Что изменено.' } },
    'params.summary.slice(0, 72)',
  ),
  dates: base(
    'days_between',
    { en: 'Days between', zh: '日期间隔', ru: 'Дни между датами' },
    {
      en: 'Count the days between two dates.',
      zh: '计算两个日期之间相差的天数。',
      ru: 'Считает дни между двумя датами.',
    },
    {
      from: {
        en: 'First day, such as 2026-01-31.',
        zh: '起始日，例如 2026-01-31。',
        ru: 'Первый день, например 2026-01-31.',
      },
      to: { en: 'Last day.', zh: '结束日。', ru: 'Последний день.' },
    },
    'String((Date.parse(params.to) - Date.parse(params.from)) / 86_400_000)',
  ),
  json: base(
    'json_keys',
    { en: 'JSON keys', zh: 'JSON 键名', ru: 'Ключи JSON' },
    {
      en: 'List the top-level keys of a JSON object.',
      zh: '列出 JSON 对象最外层的键名。',
      ru: 'Перечисляет ключи верхнего уровня объекта JSON.',
    },
    { json: { en: 'JSON text.', zh: 'JSON 文本。', ru: 'Текст JSON.' } },
    "Object.keys(JSON.parse(params.json)).join('\\n')",
  ),
};
