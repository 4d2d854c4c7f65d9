/** opencode: where it looks. The rest it shares with SlopCode (tool-files.ts, entries.ts). */
import type { ToolHost } from './tool-files.ts';

export const OPENCODE: ToolHost = {
  agent: 'opencode',
  projectFolders: ['.opencode'],
  homeFolders: ['.opencode'],
  configName: 'opencode',
  folderVariable: 'OPENCODE_CONFIG_DIR',
  configFiles: ['opencode.json', 'opencode.jsonc'],
};
