/**
 * A model that does as it is told: an OpenAI-compatible chat server on loopback. It answers with the given tool calls,
 * one per step, and then with text. Everything it was sent is kept: that is what a real model would have seen.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type ToolCall = { name: string; args?: unknown };
type OfferedTool = { name: string; description?: string; parameters: Record<string, unknown> };
type Part = { type?: string; text?: string; image_url?: unknown };
type Message = { role: string; content?: string | Part[] | null; tool_call_id?: string };
export type ModelRequest = {
  model: string;
  stream?: boolean;
  messages: Message[];
  tools?: { function: OfferedTool }[];
};

export type FakeModel = { url: string; requests: ModelRequest[]; close(): Promise<void> };

/** Starts the model on a free port. */
export async function startFakeModel(calls: readonly ToolCall[]): Promise<FakeModel> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    void readBody(request).then((text) => {
      if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"no such route"}}');
        return;
      }
      const body = JSON.parse(text) as ModelRequest;
      requests.push(body);
      reply(response, body, nextCall(body, calls));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

/** Agents also ask for a title, without tools. How far the script is, the conversation itself tells: it may be resumed. */
function nextCall(body: ModelRequest, calls: readonly ToolCall[]): (ToolCall & { id: string }) | undefined {
  if (!body.tools?.length) return undefined;
  const lastPrompt = body.messages.findLastIndex((message) => message.role === 'user' && !isImageOnly(message));
  const done = body.messages.slice(lastPrompt + 1).filter((message) => message.role === 'tool').length;
  const call = calls[done];
  return call && { ...call, id: `call_${body.messages.length}_${done}` };
}

/** Images that a tool gives are sent behind its result as a user's message. */
const isImageOnly = ({ content }: Message): boolean =>
  Array.isArray(content) && content.some((part) => part.image_url !== undefined);

function reply(response: ServerResponse, body: ModelRequest, call: (ToolCall & { id: string }) | undefined): void {
  const base = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 0, model: body.model };
  const send = (data: object) => response.write(`data: ${JSON.stringify({ ...base, ...data })}\n\n`);
  const delta = (value: object, finish: string | null = null) =>
    send({ choices: [{ index: 0, delta: value, finish_reason: finish }] });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (call) {
    const fn = { name: call.name, arguments: JSON.stringify(call.args ?? {}) };
    const toolCall = { index: 0, id: call.id, type: 'function', function: fn };
    delta({ role: 'assistant', content: null, tool_calls: [toolCall] });
    delta({}, 'tool_calls');
  } else {
    delta({ role: 'assistant', content: 'done' });
    delta({}, 'stop');
  }
  send({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } });
  response.end('data: [DONE]\n\n');
}

/** What an agent offered and sent back, seen from the model. */
export type Seen = {
  offered: Map<string, OfferedTool>;
  /** The results of the last prompt's calls, in order. */
  results: string[];
  systemPrompt: string;
  /** Images among the last prompt's messages. */
  imagesSent: number;
};

/** Reads it out of the requests of one run. */
export function whatTheModelSaw(requests: readonly ModelRequest[]): Seen {
  const withTools = requests.filter((request) => request.tools?.length);
  const last = withTools.at(-1)?.messages ?? [];
  const lastPrompt = last.findLastIndex((message) => message.role === 'user' && !isImageOnly(message));
  const since = last.slice(lastPrompt + 1);
  const results = since.filter((message) => message.role === 'tool');
  const offered = withTools[0]?.tools ?? [];
  return {
    offered: new Map(offered.map((tool) => [tool.function.name, tool.function])),
    results: results.map((message) => textOf(message)),
    imagesSent: since.filter(isImageOnly).length,
    systemPrompt: last
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(textOf)
      .join('\n'),
  };
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? `[${part.type}]`).join('\n');
}
