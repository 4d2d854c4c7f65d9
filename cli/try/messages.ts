/** The form of the child's answers: the author's code runs there, and nothing is used before its form was checked. */
import { anything, fields, flag, list, nullable, oneOf, type Shape, text, whole } from '../../tool-package/shape.ts';
import type { ChildMessage } from './types.ts';

const access = fields({
  kind: oneOf('network', 'read', 'write', 'run', 'env', 'worker', 'addon'),
  value: text({ max: 1000 }),
});
const call = fields({
  received: fields({ text: text({ max: 300_000 }), bytes: whole(0), lines: whole(0), images: whole(0) }),
  threw: nullable(text()),
  threwAt: nullable(text()),
  threwKind: nullable(oneOf('arguments', 'error', 'other')),
  shapeFault: nullable(text()),
  argumentFault: nullable(text()),
  flagged: flag,
  updates: whole(0),
  elapsedMs: whole(0),
});
const cancel = fields({ state: oneOf('ended-before', 'settled', 'unclear', 'ignored'), elapsedMs: whole(0) });

const MESSAGES: Readonly<Record<ChildMessage['kind'], Shape>> = {
  loaded: fields({ kind: anything, tool: text({ max: 1000 }) }),
  reached: fields({ kind: anything, access }),
  called: fields({ kind: anything, call }),
  cancelled: fields({ kind: anything, cancel }),
  'no-tool': fields({ kind: anything, names: list(text(), 1000) }),
  'load-failed': fields({ kind: anything, message: text(), at: nullable(text()) }),
  broken: fields({ kind: anything, why: oneOf('stuck', 'uncaught'), message: text(), at: nullable(text()) }),
};

export const isChildMessage = (value: unknown): value is ChildMessage => {
  const kind = (value as { kind?: unknown } | null)?.kind;
  const shape =
    typeof kind === 'string' && Object.hasOwn(MESSAGES, kind) ? MESSAGES[kind as ChildMessage['kind']] : undefined;
  return shape !== undefined && shape(value, '') === null;
};
