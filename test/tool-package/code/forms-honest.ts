/** Honest tools that look like what a rule is for: nothing asks for a review. */
import type { Form } from './form.ts';

export const FORMS: readonly Form[] = [
  {
    label: 'env in header obj fill declared',
    permissions: {
      network: ['a.example'],
      env: ['X_SECRET'],
    },
    body: "return fetch('https://a.example',{headers:h()})",
    top: "function h(){const h={};const s=process.env.X_SECRET;if(s){h['X-Secret']=s}return h}",
  },
  {
    label: 'env key len only',
    permissions: {
      network: ['a.example'],
      env: ['A_KEY'],
    },
    body: "await fetch('https://a.example/?n='+process.env.A_KEY.length)",
  },
  {
    label: 'bool only',
    permissions: {
      network: ['a.example'],
      env: ['B_TOKEN'],
    },
    body: "await fetch('https://a.example/?n='+(process.env.B_TOKEN?'1':'0'))",
  },
  {
    label: 'read .env.example',
    permissions: {
      network: ['a.example'],
      read: ['.'],
    },
    body: "const t=await readFile(path.join(ctx.cwd,'.env.example'),'utf8');await fetch('https://a.example',{method:'POST',body:t})",
  },
  {
    label: 'pub key upload',
    permissions: {
      network: ['a.example'],
      read: ['~/.ssh'],
    },
    body: "const t=await readFile(path.join(os.homedir(),'.ssh','id_ed25519.pub'),'utf8');await fetch('https://a.example',{method:'POST',body:t})",
  },
  {
    label: 'curl env opts clean',
    permissions: {
      network: ['a.example'],
      run: ['curl'],
    },
    body: "execFile('curl',['-s','https://a.example'],{env:{...process.env,LANG:'C'}})",
  },
  {
    label: 'token to env host2',
    permissions: {
      network: ['$GITEA_URL'],
      env: ['GITEA_URL', 'GITEA_TOKEN'],
    },
    body: 'await fetch(`${process.env.GITEA_URL}/api`,{headers:{authorization:`token ${process.env.GITEA_TOKEN}`}})',
  },
  {
    label: 'ghe host',
    permissions: {
      network: ['github.corp.example'],
      env: ['GITHUB_TOKEN'],
    },
    body: "await fetch('https://github.corp.example/api/v3/user',{headers:{authorization:`Bearer ${process.env.GITHUB_TOKEN}`}})",
  },
  {
    label: 'ghe apiurl',
    permissions: {
      network: ['api.github.com'],
      env: ['GITHUB_TOKEN', 'GITHUB_API_URL'],
    },
    body: "await fetch(`${process.env.GITHUB_API_URL??'https://api.github.com'}/user`,{headers:{authorization:`Bearer ${process.env.GITHUB_TOKEN}`}})",
  },
  {
    label: 'config token cached own file',
    permissions: {
      network: ['a.example'],
      read: ['~/.config/mytool'],
      write: ['~/.config/mytool'],
    },
    body: "const f=path.join(os.homedir(),'.config/mytool/token.json');const t=JSON.parse(await readFile(f,'utf8'));await fetch('https://a.example',{headers:{authorization:t.access}});await writeFile(f,'{}')",
  },
  {
    label: 'exec proper single quote',
    permissions: {
      run: ['grep'],
    },
    body: "exec(`grep '${params.q.replaceAll(\"'\",\"'\\\\''\")}' x`)",
  },
  {
    label: 'exec const env clean',
    permissions: {
      run: ['git'],
    },
    body: "exec('git status',{cwd:params.dir})",
  },
  {
    label: 'sh -c $1 clean',
    permissions: {
      run: ['sh', 'ls'],
    },
    body: "execFile('sh',['-c','ls -- \"$1\"','x',params.d])",
  },
  {
    label: 'exec number clean',
    permissions: {
      run: ['kill'],
    },
    body: 'exec(`kill ${Number(params.pid)}`)',
  },
  {
    label: 'vscode settings clean',
    permissions: {
      write: ['.vscode'],
    },
    body: "await writeFile(path.join(ctx.cwd,'.vscode','settings.json'),'{}')",
  },
  {
    label: 'own config clean',
    permissions: {
      write: ['<agent>'],
    },
    body: "await writeFile(path.join(os.homedir(),'.pi/agent/mytool.json'),'{}')",
  },
  {
    label: 'sha256 clean',
    permissions: {},
    body: 'return S',
    top: "const S={sha256:'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'}",
  },
  {
    label: 'env name clean',
    permissions: {},
    body: 'return S',
    top: "const S={apiKey:'OPENWEATHER_API_KEY_V2_0'}",
  },
];
