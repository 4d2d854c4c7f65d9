/** SlopCode: where it looks. The rest it shares with opencode (tool-files.ts, entries.ts). */
import type { ToolHost } from './tool-files.ts';

export const SLOPCODE: ToolHost = {
  agent: 'slopcode',
  // It loads opencode's tools too, and those win.
  projectFolders: ['.slopcode', '.opencode'],
  homeFolders: ['.slopcode', '.opencode'],
  configName: 'slopcode',
  folderVariable: 'SLOPCODE_CONFIG_DIR',
  configFiles: ['slopcode.json', 'slopcode.jsonc', 'opencode.json', 'opencode.jsonc'],
};
