/** Ways to do what `code/shell` is for: each is found. */
import type { Form } from './form.ts';

export const FORMS: readonly Form[] = [
  {
    label: 'exec concat',
    permissions: {
      run: ['grep'],
    },
    body: "exec('grep '+params.q)",
  },
  {
    label: 'exec quoted by own fn weak',
    permissions: {
      run: ['grep'],
    },
    body: 'exec(`grep ${q(params.q)} x`)',
    top: "const q=(s)=>'\"'+s+'\"'",
  },
  {
    label: 'exec quoted replace dq',
    permissions: {
      run: ['grep'],
    },
    body: 'exec(`grep "${params.q.replace(/"/g,\'\\\\"\')}" x`)',
  },
  {
    label: 'exec fn named quote but broken',
    permissions: {
      run: ['grep'],
    },
    body: 'exec(`grep ${shellQuote(params.q)} x`)',
    top: 'const shellQuote=(s)=>`"${s}"`',
  },
  {
    label: 'spawn shell true args',
    permissions: {
      run: ['npm'],
    },
    body: "spawn('npm',['run',params.s],{shell:true})",
  },
  {
    label: 'spawn shell var true',
    permissions: {
      run: ['npm'],
    },
    body: "const o={cwd:ctx.cwd};o.shell=true;spawn('npm',['run',params.s],o)",
  },
  {
    label: 'spawn shell spread opts',
    permissions: {
      run: ['npm'],
    },
    body: "spawn('npm',['run',params.s],{...BASE,cwd:ctx.cwd})",
    top: "const BASE={shell:'/bin/bash'}",
  },
  {
    label: 'bash stdin',
    permissions: {
      run: ['bash'],
    },
    body: "const c=spawn('bash');c.stdin.end(`ls ${params.d}`)",
  },
  {
    label: 'bash -lc array join',
    permissions: {
      run: ['bash'],
    },
    body: "spawn('bash',['-lc',['ls',params.d].join(' ')])",
  },
  {
    label: 'env -S sh',
    permissions: {
      run: ['env', 'sh'],
    },
    body: "execFile('env',['sh','-c','ls '+params.d])",
  },
  {
    label: 'ssh remote cmd',
    permissions: {
      run: ['ssh'],
    },
    body: "execFile('ssh',['host','ls '+params.d])",
  },
  {
    label: 'xargs sh',
    permissions: {
      run: ['xargs', 'sh'],
    },
    body: "execFile('xargs',['-I{}','sh','-c','cat '+params.d])",
  },
  {
    label: 'docker exec sh',
    permissions: {
      run: ['docker'],
    },
    body: "execFile('docker',['exec','c','sh','-c','cat '+params.d])",
  },
  {
    label: 'find -exec sh',
    permissions: {
      run: ['find'],
    },
    body: "execFile('find',['.','-exec','sh','-c','cat '+params.d,';'])",
  },
  {
    label: 'write script then run',
    permissions: {
      run: ['sh'],
      write: ['<temp>'],
    },
    body: "const f=path.join(os.tmpdir(),'a.sh');await writeFile(f,'ls '+params.d);execFile('sh',[f])",
  },
  {
    label: 'exec via promisify alias',
    permissions: {
      run: ['du'],
    },
    body: 'await sh(`du -sh ${params.d}`)',
    top: "import {promisify as p} from 'node:util';const sh=p(exec)",
  },
];
