/** From the bytes of a request to a published version. */
import { discard, receive, tooLarge } from '../blobs/incoming.ts';
import type { Deps } from '../deps.ts';
import { type PublishResult, publish } from './publish.ts';
import { checkTag } from './tag-rules.ts';
import type { Viewer } from './viewer.ts';

export type Upload = {
  readonly viewer: Viewer;
  readonly body: AsyncIterable<Uint8Array>;
  /** What the sender said it will send; null when it did not. */
  readonly announcedBytes: number | null;
  readonly tag: string | null;
};

/** Streams the body to a file of its own under the limits, publishes it, and removes the file. Throws as `publish`, and `too_large`. */
export const publishUpload = async (deps: Deps, upload: Upload): Promise<PublishResult> => {
  const { archiveBytes } = deps.limits;
  if (upload.tag !== null) checkTag(upload.tag);
  if (upload.announcedBytes !== null && upload.announcedBytes > archiveBytes) throw tooLarge(archiveBytes);
  const incoming = await receive(deps.folder.incoming, upload.body, archiveBytes);
  try {
    return await publish(deps, { viewer: upload.viewer, incoming, tag: upload.tag });
  } finally {
    await discard(incoming);
  }
};
