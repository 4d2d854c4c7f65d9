/** Files and variables that hold credentials, files that decide what an agent does, hosts that collect: data of the rules about code. */

/** Files with keys, tokens, cookies or passwords; the path is in the spelling of `pathText`. */
const CREDENTIAL_FILES: readonly RegExp[] = [
  /(?:^|\/)\.ssh(?:\/(?!known_hosts|config$)|$)/,
  /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /(?:^|\/)(?:auth|credentials?|secrets?|tokens?|oauth_creds|accessTokens)\.json$/i,
  /(?:^|\/)\.env(?:\.(?!example$|sample$|template$)[\w-]+)?$/,
  /(?:^|\/)\.(?:npmrc|yarnrc|netrc|pypirc|git-credentials|pgpass|my\.cnf|htpasswd|vault-token|boto|s3cfg)$/,
  /(?:^|\/)_netrc$/,
  /(?:^|\/)\.(?:aws|azure|gnupg|kube|docker|oci|terraform\.d|password-store)(?:\/|$)/,
  /(?:^|\/)\.config\/(?:(?:gcloud|gh|hub|glab-cli|rclone|doctl|op|netlify|vercel|heroku|flyctl|configstore|sops|containers|Bitwarden|stripe|firebase|solana)(?:\/|$)|pi-tools\/credentials)/,
  /(?:^|\/)\.(?:cargo\/credentials|gem\/credentials|m2\/settings\.xml|m2\/settings-security\.xml|gradle\/gradle\.properties|composer\/auth\.json|subversion\/auth|claude\/\.credentials|codex\/auth|huggingface\/token|cache\/huggingface\/token|kaggle\/kaggle\.json|wrangler\/config|fly\/config\.yml|databrickscfg|snowsql\/config|vault-token|age\/|ngrok2?\/)/,
  /\.(?:kdbx|p12|pfx|tfvars|ovpn)$|(?:^|\/)terraform\.tfstate(?:\.backup)?$|(?:^|\/)(?:service[-_]?account|application_default_credentials)[\w.-]*\.json$/i,
  /(?:^|\/)(?:Bitwarden|1Password|LastPass|KeePass\w*|Telegram Desktop\/tdata|discord\/Local Storage|Slack\/(?:Local Storage|Cookies)|Signal\/config\.json)(?:\/|$)/,
  /(?:^|\/)(?:Login Data|Cookies|Web Data|key[34]\.db|logins\.json|cookies\.sqlite|Local State)$/,
  /(?:google-chrome|Google\/Chrome|chromium|Chromium|BraveSoftware|Microsoft Edge|Microsoft\/Edge|\.mozilla|Firefox\/Profiles|Vivaldi|Opera Software)(?:\/|$)/,
  /(?:Library\/Keychains|\.local\/share\/keyrings|\.electrum|\.bitcoin|\.ethereum|Exodus|wallet\.dat)(?:\/|$)/,
  /(?:^|\/)\.(?:bash|zsh|sh|python|node_repl|psql|mysql)_history$/,
  /^\/etc\/(?:shadow|gshadow|sudoers)$/,
  /^\/proc\/(?:self|\d+|\*)\/environ$/,
];

/** Beside credentials, and none: public keys, the regions and names of profiles. */
const PUBLIC = /\.pub$|\/known_hosts$|\/\.aws\/config$|\/gh\/config\.yml$/;

/** Whether the content of a file is a credential. */
export const isCredentialFile = (path: string): boolean =>
  !PUBLIC.test(path) && CREDENTIAL_FILES.some((pattern) => pattern.test(path));

/** Whether a variable's name says that it holds a secret. */
export const isSecretVariable = (name: string): boolean =>
  name === '*' ||
  (!/_(?:DIR|PATH|FILE|HOST|PORT|TYPE|MODE|METHOD|REGION|ENABLED|TTL|TIMEOUT)$/i.test(name) &&
    /(?:KEY|TOKEN|SECRET|PASS(?:WORD|WD|PHRASE)?|PWD|CREDENTIALS?|AUTH|COOKIE|SESSION|PRIVATE|DSN|DATABASE_URL)(?:$|_)/i.test(
      name,
    ));

/** Variables that belong to a service, and the hosts of that service. */
const SERVICES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:GITHUB|GH|GITHUB_API)_(?:TOKEN|PAT)$|^GITHUB_PAT$/,
    /(?:^|\.)(?:github\.com|githubusercontent\.com|ghe\.com|githubcopilot\.com)$|^(?:[\w-]+\.)?(?:github|ghe)\.[\w.-]+$/,
  ],
  [/^GITLAB_(?:TOKEN|PAT|ACCESS_TOKEN)$/, /gitlab/],
  [/^OPENAI_API_KEY$/, /(?:^|\.)(?:openai\.com|chatgpt\.com|azure\.com)$/],
  [/^ANTHROPIC_(?:API_KEY|AUTH_TOKEN|OAUTH_TOKEN)$/, /(?:^|\.)anthropic\.com$/],
  [/^(?:GEMINI|GOOGLE|GOOGLE_GENERATIVE_AI)_API_KEY$/, /(?:^|\.)(?:googleapis\.com|google\.com)$/],
  [/^(?:NPM_TOKEN|NODE_AUTH_TOKEN)$/, /(?:^|\.)(?:npmjs\.org|npmjs\.com)$/],
  [
    /^AWS_(?:SECRET_ACCESS_KEY|ACCESS_KEY_ID|SESSION_TOKEN)$/,
    /(?:^|\.)(?:amazonaws\.com|aws\.amazon\.com|amazonaws\.com\.cn)$/,
  ],
  [/^(?:HF_TOKEN|HUGGINGFACE_API_KEY|HUGGING_FACE_HUB_TOKEN)$/, /(?:^|\.)huggingface\.co$/],
  [/^SLACK_(?:BOT_)?TOKEN$/, /(?:^|\.)slack\.com$/],
  [/^STRIPE_(?:SECRET|API)_KEY$/, /(?:^|\.)stripe\.com$/],
  [
    /^(?:XAI|GROQ|MISTRAL|OPENROUTER|DEEPSEEK|MOONSHOT|DASHSCOPE)_API_KEY$/,
    /(?:x\.ai|groq\.com|mistral\.ai|openrouter\.ai|deepseek\.com|moonshot\.(?:cn|ai)|aliyuncs\.com)$/,
  ],
  [/^CLOUDFLARE_API_TOKEN$/, /(?:^|\.)cloudflare\.com$/],
];

/** Whether a host is one that a model's provider answers at. */
export const isProvider = (host: string): boolean =>
  SERVICES.some(([, hosts]) => hosts.test(host)) ||
  host.startsWith('$') ||
  /(?:^|\.)(?:perplexity\.ai|cerebras\.ai|together\.(?:ai|xyz)|fireworks\.ai|cohere\.(?:ai|com)|minimax\.(?:io|chat)|minimaxi\.com|z\.ai|bigmodel\.cn|volces\.com|vercel\.(?:com|sh)|opencode\.ai|exa\.ai|x\.ai)$/.test(
    host,
  );

/** A name that any tool gives the file in which it keeps its own login. */
export const isOwnStore = (path: string): boolean =>
  /\/(?:auth|credentials?|secrets?|tokens?|oauth_creds|accessTokens)\.json$/i.test(path) && !path.startsWith('<agent>');

/** Whether a variable is the key of one service and `host` is another's. */
export function belongsElsewhere(name: string, host: string): boolean {
  const service = SERVICES.find(([variable]) => variable.test(name));
  return service !== undefined && !service[1].test(host) && !isPrivateHost(host);
}

/** This machine and networks that are nobody's. */
export const isPrivateHost = (host: string): boolean =>
  /^(?:localhost|[\w-]+\.(?:local|localhost|internal|lan|test)|host\.docker\.internal)$/.test(host) ||
  /^(?:127|10)(?:\.\d{1,3}){3}$|^192\.168(?:\.\d{1,3}){2}$|^172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}$|^0\.0\.0\.0$/.test(
    host,
  ) ||
  /^\[?(?:::1|f[cd][0-9a-f]{2}:.*)\]?$/.test(host);

/** Files by which an agent, or the user's shell, decides what to do. */
const AGENT_FILES: readonly RegExp[] = [
  /(?:^<agent>\/|(?:^|\/)\.pi\/(?:agent\/)?)(?:settings|auth|models|keybindings|mcp|trust)\.json$/,
  /(?:^|\/)\.pi\/(?:agent\/)?(?:extensions|skills|prompts|themes|hooks|npm|git)(?:\/|$)/,
  /^<agent>\/(?:extensions|skills|prompts|themes|hooks|npm|git|SYSTEM\.md|APPEND_SYSTEM\.md)(?:\/|$)/,
  /(?:^|\/)(?:\.slopcode|\.opencode|\.config\/(?:slopcode|opencode))\/(?:tools?|plugins?|agents?|commands?|skills?|pi-tools)(?:\/|$)/,
  /(?:^|\/)(?:opencode|slopcode)\.jsonc?$/,
  /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|SKILL)(?:\.local)?\.md$/i,
  /(?:^|\/)\.(?:pi|slopcode|opencode)\/(?:agent\/)?(?:SYSTEM|APPEND_SYSTEM)\.md$/,
  /(?:^|\/)(?:\.cursorrules|\.windsurfrules|\.clinerules|\.aider\.conf\.yml|copilot-instructions\.md)$/,
  /(?:^|\/)\.(?:claude|cursor|codex|gemini|windsurf|roo)\/(?:settings(?:\.local)?\.json|rules|commands|agents|hooks|skills|mcp\.json|config\.toml|CLAUDE\.md)(?:\/|$)/,
  /(?:^|\/)\.?mcp\.json$/,
  /(?:^|\/)pi-tools(?:\.lock)?\.json$/,
  /(?:^|\/)node_modules\/(?:@earendil-works|@mariozechner|@opencode-ai|@slopcode-ai|opencode-ai)(?:\/|$)/,
  /^~\/\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|zlogout|inputrc|xprofile|xinitrc|pam_environment|tmux\.conf|vimrc|npmrc|yarnrc\.yml|gitconfig|curlrc|wgetrc|condarc|pypirc|psqlrc|gdbinit)$/,
  /(?:^|\/)\.config\/(?:fish\/(?:config\.fish|conf\.d\/|functions\/)|git\/|nvim\/|environment\.d\/|pip\/|zsh\/)/,
  /^(?:~\/(?:\.local\/)?bin|\/usr\/local\/bin|\/usr\/bin)\//,
  /(?:^|\/)\.vscode\/tasks\.json$|(?:^|\/)\.envrc$/,
  /(?:^|\/)\.git\/(?:hooks|config)(?:\/|$)/,
  /(?:^|\/)\.husky(?:\/|$)/,
  /(?:^|\/)\.ssh(?:\/|$)/,
  /(?:LaunchAgents|LaunchDaemons|\.config\/autostart|\.config\/systemd\/user|Start Menu\/Programs\/Startup)(?:\/|$)/,
  /^\/etc\/(?:cron|profile|systemd|rc\.local|hosts|ld\.so\.preload)/,
  /(?:^|\/)crontabs?(?:\/|$)/,
];

/** Many extensions keep their settings beside them; pi loads code from there, and `package.json`. */
const OWN_SETTINGS = /\/extensions\/(?:[^/]+\/)?(?!package\.json$)[^/]+\.json$/;

/** Whether writing to a file changes what the agent, its tools or the user's shell do. */
export const isHostFile = (path: string): boolean =>
  !OWN_SETTINGS.test(path) && AGENT_FILES.some((pattern) => pattern.test(path));

/** Hosts made for collecting what someone else sends, for pasting, and for hiding where a link goes. */
const COLLECTORS =
  /(?:^|\.)(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|beeceptor\.com|hookbin\.com|mockbin\.(?:org|io)|requestcatcher\.com|hookdeck\.com|smee\.io|interact\.sh|oast\.(?:pro|live|site|online|fun|me)|oastify\.com|burpcollaborator\.net|canarytokens\.(?:com|org)|dnslog\.cn|ceye\.io|ngrok\.(?:io|app|dev)|ngrok-free\.(?:app|dev)|trycloudflare\.com|loca\.lt|serveo\.net|localhost\.run|pagekite\.me|webhook\.cool|typedwebhook\.tools|ptsv[23]\.com)$/;
const PASTES =
  /(?:^|\.)(?:pastebin\.com|paste\.ee|hastebin\.com|ghostbin\.\w+|rentry\.(?:co|org)|dpaste\.(?:com|org)|ix\.io|sprunge\.us|termbin\.com|0x0\.st|transfer\.sh|file\.io|anonfiles\.com|gofile\.io|catbox\.moe|paste\.rs|controlc\.com|justpaste\.it|privatebin\.net|bashupload\.com|temp\.sh|oshi\.at|uguu\.se|termbin\.com|clbin\.com)$/;
const SHORTENERS =
  /(?:^|\.)(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|v\.gd|ow\.ly|buff\.ly|rebrand\.ly|cutt\.ly|shorturl\.at|rb\.gy|t\.ly|tiny\.cc|bl\.ink|clck\.ru|vk\.cc|dwz\.cn|suo\.im|t\.cn|url\.cn|u\.to|qps\.ru)$/;
/** Addresses of chat services that take messages from anyone who knows them: the usual way out for what was stolen. */
const CHAT_HOOKS =
  /^(?:hooks\.slack\.com|api\.telegram\.org|oapi\.dingtalk\.com|qyapi\.weixin\.qq\.com|open\.feishu\.cn|maker\.ifttt\.com|hooks\.zapier\.com)$/;

/** A host with other uses, and the path that makes it an address for messages. */
export const isChatHook = (url: string): boolean =>
  /^https?:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\b/i.test(url);

export type HostKind = 'collector' | 'paste' | 'shortener' | 'chat' | 'address';

/** What is odd about a host, or null. */
export function hostKind(host: string): HostKind | null {
  if (COLLECTORS.test(host)) return 'collector';
  if (PASTES.test(host)) return 'paste';
  if (SHORTENERS.test(host)) return 'shortener';
  if (CHAT_HOOKS.test(host)) return 'chat';
  return isRawAddress(host) && !isPrivateHost(host) ? 'address' : null;
}

/** `203.0.113.7`, `[2001:db8::1]`, and the forms that hide one: `3405803783`, `0xcb007107`. */
const isRawAddress = (host: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) ||
  /^\[[0-9a-f:.]+\]$/.test(host) ||
  /^(?:0x[0-9a-f]{6,8}|\d{8,10})$/.test(host);
