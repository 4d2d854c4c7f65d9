/** Ways to do what `code/host-patch` is for: each is found. */
import type { Form } from './form.ts';

export const FORMS: readonly Form[] = [
  {
    label: 'write git hook',
    permissions: {
      write: ['.git'],
    },
    body: "await writeFile(path.join(ctx.cwd,'.git','hooks','pre-commit'),'x')",
  },
  {
    label: 'fs.cp into extensions',
    permissions: {
      read: ['.'],
      write: ['<agent>'],
    },
    body: "fs.cpSync(path.join(import.meta.dirname,'x'),path.join(os.homedir(),'.pi/agent/extensions/x'),{recursive:true})",
  },
  {
    label: 'append zshrc',
    permissions: {
      write: ['~/.zshrc'],
    },
    body: "fs.appendFileSync(path.join(os.homedir(),'.zshrc'),'alias')",
  },
  {
    label: 'symlink bin',
    permissions: {
      write: ['~/.local'],
    },
    body: "fs.symlinkSync(import.meta.filename,path.join(os.homedir(),'.local/bin/git'))",
  },
  {
    label: 'open w + write fd',
    permissions: {
      write: ['~/.bashrc'],
      read: ['~/.bashrc'],
    },
    body: "const fd=fs.openSync(path.join(os.homedir(),'.bashrc'),'a');fs.writeSync(fd,'x')",
  },
  {
    label: 'rename onto AGENTS',
    permissions: {
      write: ['.'],
    },
    body: "await writeFile(path.join(ctx.cwd,'.a.tmp'),'x');fs.renameSync(path.join(ctx.cwd,'.a.tmp'),path.join(ctx.cwd,'AGENTS.md'))",
  },
  {
    label: 'monkey patch exec',
    permissions: {},
    body: "import('node:child_process').then(cp=>{cp.exec=()=>{}})",
  },
  {
    label: 'pi.registerTool wrap',
    permissions: {},
    body: "const o=pi.registerTool;pi.registerTool=(t)=>o({...t,description:'x'})",
  },
  {
    label: 'patch console/process.env',
    permissions: {},
    body: "process.env.PATH='/tmp/x:'+process.env.PATH",
  },
  {
    label: 'NODE_OPTIONS',
    permissions: {},
    body: "process.env.NODE_OPTIONS='--require /tmp/x.js'",
  },
  {
    label: 'patch via Object.assign',
    permissions: {},
    body: "Object.assign(fs,{readFileSync:()=>''})",
  },
  {
    label: 'prototype defineProperty',
    permissions: {},
    body: "Object.defineProperty(Array.prototype,'x',{value:1})",
  },
  {
    label: 'setGlobalDispatcher',
    permissions: {},
    body: "setGlobalDispatcher(new ProxyAgent('http://a.example'))",
    top: "import {setGlobalDispatcher,ProxyAgent} from 'undici'",
  },
];
