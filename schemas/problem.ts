/**
 * The error table: every refusal that a user can meet has a code here, with its HTTP status and exit code.
 * Messages say what happened with the value in backquotes; `hint` says what to do next. One place turns a Problem
 * into problem+json (server/plugins/problems.ts), one into terminal text (cli/terminal/messages.ts).
 */

type Row = { status: number; exit: number; title: string };

const row = (status: number, exit: number, title: string): Row => ({ status, exit, title });

/** Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 refused, 5 integrity or trust, 6 differences or findings, 7 unreachable. */
export const PROBLEMS = {
  // input
  usage: row(400, 2, 'Wrong usage'),
  invalid_name: row(400, 1, 'Invalid package name'),
  invalid_version: row(400, 1, 'Invalid version'),
  invalid_range: row(400, 1, 'Invalid version range'),
  invalid_request: row(400, 1, 'Invalid request'),
  invalid_package_json: row(422, 1, 'Invalid package.json'),
  invalid_archive: row(422, 1, 'Invalid archive'),
  invalid_tag: row(400, 1, 'Invalid tag'),
  unsupported_media_type: row(415, 1, 'Unsupported media type'),
  too_large: row(413, 1, 'Too large'),
  pack_incomplete: row(422, 1, 'Package is incomplete'),
  pack_link: row(422, 1, 'Link leaves the package'),
  npm_dependencies: row(422, 1, 'npm dependencies are not supported yet'),
  // rights
  unauthorized: row(401, 4, 'Not logged in'),
  invalid_token: row(401, 4, 'Invalid token'),
  forbidden: row(403, 4, 'Not allowed'),
  not_owner: row(403, 4, 'Not an owner'),
  consent_required: row(403, 4, 'Consent required'),
  override_refused: row(403, 4, 'Override of a built-in tool'),
  version_not_listed: row(403, 4, 'Version is not listed'),
  version_quarantined: row(403, 4, 'Version is quarantined'),
  private_package: row(422, 4, 'Package is private'),
  // existence
  package_not_found: row(404, 3, 'Package not found'),
  version_not_found: row(404, 3, 'Version not found'),
  tag_not_found: row(404, 3, 'Tag not found'),
  finding_not_found: row(404, 3, 'Finding not found'),
  token_not_found: row(404, 3, 'Token not found'),
  user_not_found: row(404, 3, 'User not found'),
  not_found: row(404, 3, 'Not found'),
  not_installed: row(404, 3, 'Not installed'),
  method_not_allowed: row(405, 1, 'Method not allowed'),
  // conflicts
  version_exists: row(409, 4, 'Version exists with other content'),
  name_taken: row(409, 4, 'Name is taken'),
  name_too_similar: row(409, 4, 'Name is too similar'),
  user_exists: row(409, 4, 'User exists'),
  state_conflict: row(409, 4, 'State does not allow this'),
  reserved_tag: row(409, 4, 'Tag cannot be set'),
  findings: row(422, 4, 'Package has error findings'),
  several_findings: row(409, 4, 'Several findings match'),
  tool_name_conflict: row(409, 4, 'Tool name conflict'),
  path_conflict: row(409, 4, 'A file is in the way'),
  locally_modified: row(409, 4, 'Installed files were changed'),
  no_allowed_tools: row(409, 4, 'No allowedTools list'),
  agent_unsupported: row(409, 4, 'Agent is not supported by this package'),
  lock_would_change: row(409, 4, 'Lock file would change'),
  no_matching_version: row(404, 3, 'No version matches'),
  // trust
  integrity_mismatch: row(422, 5, 'Integrity mismatch'),
  record_mismatch: row(422, 5, 'Manifest does not match the archive'),
  registry_mismatch: row(409, 5, 'Registry is not the one in the lock file'),
  // local state
  settings_invalid: row(422, 1, 'Settings file does not parse'),
  settings_locked: row(409, 1, 'Settings file is locked'),
  state_invalid: row(422, 1, 'State file does not parse'),
  root_locked: row(409, 1, 'Another pi-tools is at work'),
  data_folder_locked: row(409, 1, 'Data folder is in use'),
  data_folder_invalid: row(500, 1, 'Data folder cannot be used'),
  cannot_listen: row(500, 1, 'Address cannot be used'),
  file_system: row(500, 1, 'File system error'),
  needs_node: row(500, 1, 'Node.js is too old'),
  // service
  rate_limited: row(429, 7, 'Too many requests'),
  body_timeout: row(408, 7, 'Upload took too long'),
  disk_full: row(507, 7, 'Disk is full'),
  busy: row(503, 7, 'Registry is busy'),
  invalid_answer: row(502, 7, 'Registry gave an answer that makes no sense'),
  registry_unreachable: row(502, 7, 'Registry is unreachable'),
  offline: row(502, 7, 'Not in the cache, and --offline was given'),
  npm_unreachable: row(502, 7, 'npm registry is unreachable'),
  inspection_failed: row(422, 1, 'Inspection failed'),
  interrupted: row(500, 130, 'Interrupted'),
  internal: row(500, 1, 'Internal error'),
} as const satisfies Record<string, Row>;

export type ProblemCode = keyof typeof PROBLEMS;

export type ProblemDetails = { readonly [key: string]: unknown };

/** An expected failure. `message` names the value in backquotes; `hint` says what to do next; `details` is data for scripts. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly hint: string | null;
  readonly details: ProblemDetails;

  constructor(
    code: ProblemCode,
    message: string,
    more: { hint?: string; details?: ProblemDetails; cause?: unknown } = {},
  ) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = 'Problem';
    this.code = code;
    this.hint = more.hint ?? null;
    this.details = more.details ?? {};
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }

  get exitCode(): number {
    return PROBLEMS[this.code].exit;
  }
}

export const isProblemCode = (code: unknown): code is ProblemCode =>
  typeof code === 'string' && Object.hasOwn(PROBLEMS, code);
