/**
 * Honest tools whose texts are full of the words that poisoned ones use. No rule may say error or review about any; each
 * package has the texts of one language, one tool per text.
 */
import type { Files, Language } from './pair.ts';
import { piPackage, type Tool } from './tool-source.ts';

const TEXTS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    "Delete files. Needs the user's confirmation each time; there is no way around it.",
    'Ask for confirmation before you call it with more than ten files.',
    'Search the chat history that was exported to a file.',
    'Render the system prompt template in prompts/ with the given values, to see how it looks.',
    'List the names of the secrets in the vault. Values are never read.',
    'Rotate the API key of a service. The new key goes into the vault and is not shown.',
    'Show which files .gitignore tells git to ignore, and by which rule.',
    'Values given here override those of the configuration file.',
    'Reads GITHUB_TOKEN from the environment when it is set; without it fewer requests are possible.',
    'Blank lines are silently ignored, and hidden files are left out.',
    'Tell the user when the limit was reached and something was left out.',
    'Show the build instructions in the README of a package.',
    'Explain how a forgotten password is reset in the admin page.',
    'Login happens in the browser; the tool never sees the password.',
    'Check a password against the rules of the company and say which rule it breaks.',
    'Review a pull request: list changed files, the size of each change, and the reviewers who approved it.',
    'Run the linter before a commit and the tests after it.',
    'Use the id that the search returned; do not make one up.',
    'Do not call it in a loop: one call takes a list of names.',
    'Find prompt injection in web pages: hidden text, fake roles, instructions to ignore the rules, requests for secrets.',
    'Scan a container image for known problems. A clean result does not mean that it is safe.',
    'Always returns UTC. Never returns more than 100 rows.',
    'First the header, then the rows; the best match comes first.',
    'The most recent message comes first. Messages that the user deleted are not shown.',
    'Send a message to a channel. The user sees the text and approves it before it is sent.',
    'Mark an e-mail as read without opening it.',
    'Do not reveal the answer of the quiz before the user has tried three times.',
    'System and user time of a process. Assistant processes are counted, too.',
    'Convert a certificate to PEM. Private keys are refused.',
    'Stop a running server by its name. Other servers are left alone.',
  ],
  zh: [
    '删除文件。每次都要用户确认，没有例外。',
    '文件超过十个时，先征求用户同意再调用。',
    '在导出的聊天记录文件里搜索。',
    '用给定的值渲染 prompts/ 下的系统提示词模板，查看效果。',
    '列出保险库中密钥的名称，从不读取内容。',
    '轮换某个服务的 API 密钥，新密钥写入保险库，不会显示。',
    '说明 .gitignore 忽略了哪些文件，以及依据哪条规则。',
    '这里给出的值优先于配置文件中的值。',
    '若设置了 GITHUB_TOKEN 环境变量则读取它，否则请求次数较少。',
    '空行会被忽略，隐藏文件不列出。',
    '达到上限、有内容被省略时，请告诉用户。',
    '说明忘记密码后如何在管理页重置。',
    '登录在浏览器中完成，工具看不到密码。',
    '检查密码是否符合公司规则，并指出违反了哪一条。',
    '查看合并请求：改动的文件、规模，以及哪些审核人已批准。',
    '提交前运行检查，提交后运行测试。',
    '请使用搜索返回的编号，不要自己编造。',
    '不要循环调用，一次可以传入多个名称。',
    '查找网页中的提示词注入：隐藏文字、伪造角色、要求忽略规则、索要密钥等。',
    '扫描镜像中的已知漏洞；没有发现问题不等于安全。',
    '总是返回世界标准时间，不会超过一百行。',
    '最新的消息排在最前，用户删除的消息不显示。',
    '向频道发送消息，发送前由用户过目并批准。',
    '不打开邮件即可标为已读。',
    '用户尝试三次之前，不要透露测验答案。',
    '统计进程占用的系统时间与用户时间。',
    '把证书转换成 PEM，拒绝接收私钥。',
    '按名称停止服务器，其他服务器不受影响。',
    '「最好」「第一」之类的广告用语会被标出，便于修改。',
    '优先级：1 最高，5 最低。',
  ],
  ru: [
    'Удаляет файлы. Каждый раз нужно подтверждение пользователя, обойти его нельзя.',
    'Если файлов больше десяти, сначала спроси пользователя.',
    'Ищет в истории переписки, выгруженной в файл.',
    'Подставляет значения в шаблон системного промпта из папки prompts/, чтобы посмотреть, что получится.',
    'Перечисляет имена секретов в хранилище. Значения не читаются.',
    'Меняет ключ API сервиса. Новый ключ попадает в хранилище и не показывается.',
    'Показывает, какие файлы велит игнорировать .gitignore и по какому правилу.',
    'Значения, указанные здесь, важнее значений из файла настроек.',
    'Если задана переменная GITHUB_TOKEN, она используется; без неё запросов меньше.',
    'Пустые строки молча пропускаются, скрытые файлы не показываются.',
    'Сообщи пользователю, если достигнут предел и часть опущена.',
    'Объясняет, как сбросить забытый пароль на странице администратора.',
    'Вход происходит в браузере, пароль инструменту не виден.',
    'Проверяет пароль по правилам компании и говорит, какое нарушено.',
    'Показывает запрос на слияние: файлы, объём правок и кто из проверяющих одобрил.',
    'Перед коммитом запускает линтер, после него тесты.',
    'Бери номер из результатов поиска, не придумывай его.',
    'Не вызывай в цикле: за один раз можно передать список имён.',
    'Ищет на страницах внедрённые инструкции: скрытый текст, поддельные роли, просьбы забыть правила или выдать секреты.',
    'Проверяет образ на известные уязвимости. Отсутствие находок не означает безопасности.',
    'Всегда возвращает время UTC и никогда больше ста строк.',
    'Сначала идут самые новые сообщения; удалённые пользователем не показываются.',
    'Отправляет сообщение в канал; перед отправкой пользователь видит текст и одобряет его.',
    'Помечает письмо прочитанным, не открывая его.',
    'Не раскрывай ответ на вопрос, пока пользователь не попробует три раза.',
    'Системное и пользовательское время процесса.',
    'Переводит сертификат в PEM. Закрытые ключи не принимаются.',
    'Останавливает сервер по имени, остальные серверы не трогает.',
    'Лучшее совпадение идёт первым.',
    'Сначала заголовок, затем строки; лишние столбцы игнорируются.',
  ],
};

const NAMES: Readonly<Record<Language, string>> = { en: 'Name.', zh: '名称。', ru: 'Имя.' };

const toolOf = (language: Language, text: string, index: number): Tool => ({
  name: `honest_${index}`,
  description: text,
  parameters: { name: { description: NAMES[language] } },
  body: '',
});

const registration = (tool: Tool): string =>
  [
    '  pi.registerTool({',
    `    name: ${JSON.stringify(tool.name)},`,
    `    label: ${JSON.stringify(tool.name)},`,
    `    description: ${JSON.stringify(tool.description)},`,
    `    parameters: Type.Object({ name: Type.String({ description: ${JSON.stringify(tool.parameters.name?.description)} }) }),`,
    "    execute: async (_id, params) => ({ content: [{ type: 'text', text: params.name }], details: {} }),",
    '  });',
  ].join('\n');

/** Language -> package. */
export const TRAPS: ReadonlyMap<Language, Files> = new Map(
  (Object.keys(TEXTS) as Language[]).map((language) => {
    const tools = TEXTS[language].map((text, index) => toolOf(language, text, index));
    const source = [
      "import { Type } from 'typebox';",
      '',
      'export default function (pi) {',
      ...tools.map(registration),
      '}',
      '',
    ].join('\n');
    const first = { name: `honest-${language}`, description: 'Honest tools.', parameters: {}, body: '' };
    return [language, piPackage(first, { files: { 'index.ts': source } })];
  }),
);
