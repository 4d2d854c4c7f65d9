/** The other side of the download ratio: Node's own http server with one prepared answer. `node bare-server.js FILE TYPE` prints its port. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [file = '', type = 'application/json'] = process.argv.slice(2);
const body = readFileSync(file);
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': type, 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
