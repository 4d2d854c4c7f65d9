/** Events: one row per change of meaning, written in the transaction of the change. */
import { nowText } from '../clock.ts';
import type { EventRow, Reader, Trx } from './tables.ts';

export type EventKind =
  | 'publish'
  | 'approve'
  | 'reject'
  | 'quarantine'
  | 'waive'
  | 'unwaive'
  | 'rescan'
  | 'yank'
  | 'unyank'
  | 'deprecate'
  | 'undeprecate'
  | 'tag-set'
  | 'tag-remove'
  | 'owner-add'
  | 'owner-remove'
  | 'user-create'
  | 'user-remove'
  | 'token-create'
  | 'token-revoke';

export type NewEvent = {
  readonly actor: string;
  readonly kind: EventKind;
  readonly package?: string;
  readonly version?: string;
  readonly detail?: { readonly [key: string]: unknown };
};

export const insertEvent = async (trx: Trx, event: NewEvent): Promise<void> => {
  await trx
    .insertInto('events')
    .values({
      at: nowText(),
      actor: event.actor,
      kind: event.kind,
      package: event.package ?? null,
      version: event.version ?? null,
      detail: JSON.stringify(event.detail ?? {}),
    })
    .execute();
};

/** Events with an id above `after`, oldest first; of one package, or all with `packageName` null. */
export const listEvents = (
  db: Reader,
  packageName: string | null,
  page: { after: number; limit: number },
): Promise<EventRow[]> => {
  const all = db.selectFrom('events').selectAll().where('id', '>', page.after).orderBy('id').limit(page.limit);
  return (packageName === null ? all : all.where('package', '=', packageName)).execute();
};
