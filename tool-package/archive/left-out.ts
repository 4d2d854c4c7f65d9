/** What is never packed, whatever an include list says. */

/** Names (lower case) of files that hold keys or passwords. */
const SECRET_NAMES = new Set([
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.netrc',
  '_netrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.dockercfg',
  '.dockerconfigjson',
  '.htpasswd',
  '.vault-token',
  '.terraformrc',
  'terraform.tfstate',
  'terraform.tfstate.backup',
  'auth.json',
  'credentials',
  '.credentials',
]);

const SECRET_PATTERNS = [
  /^\.env(?:rc|[.\-_].*)?$/,
  /\.env$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_.*)?(?!.*\.pub$)(?:\..*)?$/,
  /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|keystore|ppk|kdbx|ovpn)$/,
  /^\.?(?:credentials|secrets?)\.(?:json|ya?ml|toml|ini|txt|csv|xml|db|sqlite)$/,
  /^(?:service[-_]?account|client[-_]secret|application_default_credentials).*\.json$/,
];

/** Folders whose every file is somebody's access to something. */
const SECRET_FOLDERS = new Set(['.aws', '.ssh', '.gnupg', '.kube', '.azure', '.gcloud', '.docker']);

/** Why a file may hold a secret; null where its name does not say so. */
export const secretReason = (path: string): string | null => {
  const segments = path.toLowerCase().split('/');
  const name = segments.at(-1) ?? '';
  const folder = segments.slice(0, -1).find((segment) => SECRET_FOLDERS.has(segment));
  if (folder !== undefined) return `\`${folder}\` holds credentials`;
  const isSecret = SECRET_NAMES.has(name) || SECRET_PATTERNS.some((pattern) => pattern.test(name));
  return isSecret ? 'may hold a secret' : null;
};

const CLUTTER_FOLDERS = new Map([
  ['node_modules', 'npm dependencies are pinned, not packed'],
  ['.git', 'version control'],
  ['.hg', 'version control'],
  ['.svn', 'version control'],
  ['cvs', 'version control'],
  ['.jj', 'version control'],
  ['.vscode', 'editor folder'],
  ['.idea', 'editor folder'],
  ['.vs', 'editor folder'],
  ['.fleet', 'editor folder'],
  ['.zed', 'editor folder'],
  ['.history', 'editor folder'],
]);

const CLUTTER_FILES = new Set(['.ds_store', 'thumbs.db', 'desktop.ini']);

/** Why a name is left out wherever it lies; null for all others. `.git` is also a file: a worktree's. */
export const clutterReason = (path: string): string | null => {
  const segments = path.toLowerCase().split('/');
  for (const segment of segments) {
    const reason = CLUTTER_FOLDERS.get(segment);
    if (reason !== undefined) return reason;
  }
  const name = segments.at(-1) ?? '';
  if (CLUTTER_FILES.has(name) || /~$|^\..*\.sw[a-p]$|^#.*#$/.test(name)) return 'left by an editor or the system';
  if (segments.length === 1 && /\.(?:tgz|tar\.gz)$/.test(name)) return 'an archive, as packing makes it';
  return null;
};
