/** How many connections there may be: in all, and from one address, so that one machine cannot keep all others out. */
import type { Server } from 'node:http';
import type { Limits } from '../limits.ts';

/** What is too much is closed before a byte of it is read. */
export const limitConnections = (server: Server, limits: Pick<Limits, 'connections' | 'connectionsOfOne'>): void => {
  const open = new Map<string, number>();
  server.maxConnections = limits.connections;
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    const count = (open.get(address) ?? 0) + 1;
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (count > limits.connectionsOfOne) socket.destroy();
  });
};
