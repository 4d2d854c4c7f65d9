/** How the client reaches a registry: over HTTP or in process. Both answer any status with its bytes; only a failed exchange throws. */

export type WireRequest = {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Path and query below the registry's base, from `/`; every segment is encoded. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array;
  /** More bytes than this are refused while they come. */
  maxBytes: number;
};

export type WireAnswer = { status: number; headers: ReadonlyMap<string, string>; body: Buffer };

export type Transport = {
  /** `embedded`, or the URL's origin and base path. */
  readonly origin: string;
  send(request: WireRequest): Promise<WireAnswer>;
  close(): Promise<void>;
};
