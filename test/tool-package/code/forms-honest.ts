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
  {
    label: 'fetch post hash of token',
    permissions: { network: ['a.example'], env: ['A_TOKEN'] },
    body: "const h=crypto.createHash('sha256').update(process.env.A_TOKEN).digest('hex');await fetch('https://a.example/?id='+h)",
    top: 'import crypto from "node:crypto";',
  },
  {
    label: 'two declared keys one host',
    permissions: { network: ['a.example'], env: ['A_KEY', 'A_SECRET'] },
    body: "await fetch('https://a.example',{headers:{k:process.env.A_KEY,s:process.env.A_SECRET}})",
  },
  {
    label: 'proxy to fetch',
    permissions: { network: ['a.example'], env: ['HTTPS_PROXY'] },
    body: "await fetch('https://a.example',{dispatcher:new ProxyAgent(process.env.HTTPS_PROXY)})",
    top: 'import {ProxyAgent} from "undici";',
  },
  {
    label: 'ua with user',
    permissions: { network: ['a.example'], env: ['USER'] },
    body: "await fetch('https://a.example',{headers:{'user-agent':'x '+process.env.USER}})",
  },
  {
    label: 'openai compatible base',
    permissions: { network: ['api.openai.com', '$OPENAI_BASE_URL'], env: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] },
    body: "const b=process.env.OPENAI_BASE_URL??'https://api.openai.com/v1';await fetch(b+'/x',{headers:{authorization:'Bearer '+process.env.OPENAI_API_KEY}})",
  },
  {
    label: 'openai to azure named',
    permissions: { network: ['myres.openai.azure.com'], env: ['OPENAI_API_KEY'] },
    body: "await fetch('https://myres.openai.azure.com/x',{headers:{'api-key':process.env.OPENAI_API_KEY}})",
  },
  {
    label: 'env subset for child',
    permissions: { run: ['git'], env: ['GITHUB_TOKEN'] },
    body: "execFile('git',['fetch'],{env:{...process.env,GIT_TERMINAL_PROMPT:'0'}})",
  },
  {
    label: 'docker config context',
    permissions: { read: ['~/.docker/config.json'] },
    body: "const c=JSON.parse(await readFile(path.join(os.homedir(),'.docker','config.json'),'utf8'));return c.currentContext",
  },
  {
    label: 'kube contexts',
    permissions: { read: ['~/.kube/config'], run: ['kubectl'] },
    body: "const c=await readFile(path.join(os.homedir(),'.kube','config'),'utf8');execFile('kubectl',['get','pods'])",
  },
  {
    label: 'write settings of own',
    permissions: { write: ['.pi'] },
    body: "await writeFile(path.join(ctx.cwd,'.pi','mytool.json'),'{}')",
  },
  {
    label: 'git config local user',
    permissions: { run: ['git'] },
    body: "execFile('git',['config','user.email','a@b.example'],{cwd:ctx.cwd})",
  },
  {
    label: 'git config get global',
    permissions: { run: ['git'] },
    body: "execFile('git',['config','--global','--get','user.email'])",
  },
  { label: 'crontab -l', permissions: { run: ['crontab'] }, body: "execFile('crontab',['-l'])" },
  { label: 'systemctl status', permissions: { run: ['systemctl'] }, body: "execFile('systemctl',['status',params.u])" },
  { label: 'npm config get', permissions: { run: ['npm'] }, body: "execFile('npm',['config','get','registry'])" },
  {
    label: 'git hook list read',
    permissions: { read: ['.git/hooks'] },
    body: "return fs.readdirSync(path.join(ctx.cwd,'.git','hooks'))",
  },
  { label: 'cp into dist', permissions: { run: ['cp'] }, body: "execFile('cp',['-r','a','dist/settings.json'])" },
  {
    label: 'mermaid b64',
    permissions: { network: ['mermaid.ink'] },
    body: "await fetch('https://mermaid.ink/img/'+Buffer.from(params.code).toString('base64'))",
  },
  {
    label: 'favicon b64',
    permissions: {},
    body: "return Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7','base64')",
  },
  {
    label: 'escape seq const',
    permissions: {},
    body: "return String.fromCharCode(27)+'[0m'+String.fromCharCode(...[72,105])",
  },
  {
    label: 'caesar tool',
    permissions: {},
    body: "return [...params.t].map(c=>String.fromCharCode(c.charCodeAt(0)+13)).join('')",
  },
  {
    label: 'execFile EncodedCommand',
    permissions: { run: ['powershell'] },
    body: "execFile('powershell.exe',['-NoProfile','-EncodedCommand',Buffer.from(S,'utf16le').toString('base64')])",
    top: "const S='Get-Date'",
  },
  {
    label: 'const table shell win',
    permissions: { run: ['npm'] },
    body: 'for(const [c,a] of P[params.p])run(c,a,ctx.cwd)',
    top: "const P={quick:[['npm',['run','lint']]],full:[['npm',['run','lint']],['npm',['test']]]};function run(command,args,cwd){return spawn(command,args,{cwd,shell:process.platform==='win32'})}",
  },
  { label: 'xargs echo clean', permissions: { run: ['xargs'] }, body: "execFile('xargs',['echo',params.x])" },
  { label: 'ssh const cmd', permissions: { run: ['ssh'] }, body: "execFile('ssh',['-p','22',params.host,'uptime'])" },
  {
    label: 'dialog exec platform',
    permissions: { run: ['open', 'xdg-open'] },
    body: "execFile(process.platform==='darwin'?'open':'xdg-open',[params.u])",
  },
  {
    label: 'event counts',
    permissions: { network: ['a.example'] },
    body: "await fetch('https://a.example',{method:'POST',body:JSON.stringify([...n])})",
    top: "const n=new Map();export const hook=(pi)=>pi.on('tool_result',(e)=>{n.set(e.toolName,(n.get(e.toolName)??0)+1)})",
  },
];
