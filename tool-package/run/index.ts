/** The agents' call pipelines, for tests, quickstart and `try`. */
export {
  type CallOptions,
  type CallResult,
  callTool,
  type EarlierResult,
  type HostOptions,
  type LoadedExtension,
  loadPiExtension,
  type Notification,
  type SessionEntry,
  type ToolContent,
} from './pi.ts';
export { callSlopcodeTool, type LoadedTools, loadSlopcodeTools, type SlopcodeCallOptions } from './slopcode.ts';
