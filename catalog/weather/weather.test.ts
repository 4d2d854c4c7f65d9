import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type OpenMeteo, startOpenMeteo } from '../../test/support/agents/open-meteo.ts';
import {
  callSlopcodeTool,
  callTool,
  type LoadedExtension,
  loadPiExtension,
  loadSlopcodeTools,
} from '../../tool-package/run/index.ts';
import { fetchForecast } from './forecast.ts';

const here = import.meta.dirname;
let openMeteo: OpenMeteo;
let extension: LoadedExtension;

beforeAll(async () => {
  openMeteo = await startOpenMeteo();
  extension = await loadPiExtension(join(here, 'weather.ts'));
});
afterAll(() => openMeteo.close());
beforeEach(() => {
  openMeteo.fault = 'none';
  openMeteo.requests.length = 0;
  vi.stubEnv('OPEN_METEO_URL', openMeteo.url);
});
afterEach(() => vi.unstubAllEnvs());

const textOf = (result: { content: { text?: string }[] }) => result.content.map((part) => part.text).join('\n');

describe('weather in pi', () => {
  test('asks for the place, then for the forecast there', async () => {
    const result = await callTool(extension, 'weather', { city: 'Tokyo' });
    expect(result).toMatchObject({
      isError: false,
      details: {
        city: 'Tokyo',
        country: 'Japan',
        unit: 'celsius',
        temperature: 12.5,
        feelsLike: 10,
        humidityPercent: 61,
        condition: 'rain',
        today: { low: 8, high: 15, rainChancePercent: 70 },
      },
    });
    expect(textOf(result)).toContain('Tokyo, Japan: 12.5 °C, rain (feels like 10 °C).');
    expect(openMeteo.requests.map((url) => url.pathname)).toEqual(['/v1/search', '/v1/forecast']);
    expect(openMeteo.requests[1]?.searchParams.get('latitude')).toBe('35.6895');
  });

  test.each(['东京', 'Токио', '  tokyo '])('finds %s', async (city) => {
    const result = await callTool(extension, 'weather', { city });
    expect(textOf(result)).toContain('Tokyo, Japan');
  });

  test('the unit reaches the server and the text', async () => {
    const result = await callTool(extension, 'weather', { city: 'Kazan', unit: 'fahrenheit' });
    expect(openMeteo.requests[1]?.searchParams.get('temperature_unit')).toBe('fahrenheit');
    expect(textOf(result)).toContain('54.5 °F');
  });

  test('a place without a country', async () => {
    expect(textOf(await callTool(extension, 'weather', { city: 'nowhere' }))).toMatch(/^Nowhere: /);
  });

  test.each([
    [{}, 'city: missing'],
    [{ city: 'Tokyo', unit: 'kelvin' }, 'unit: expected one of ["celsius","fahrenheit"]'],
    [{ city: '' }, 'city: expected at least 1 characters'],
    [{ city: '   ' }, 'city is empty'],
    [{ city: 'Atlantis' }, 'No city called "Atlantis" was found'],
  ])('%j is refused with a reason', async (args, reason) => {
    const result = await callTool(extension, 'weather', args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(reason);
  });

  test.each([
    ['http-500', 'Open-Meteo answered HTTP 500 to the city search.'],
    ['refusal', 'HTTP 400 to the city search. Latitude must be in range of -90 to 90°.'],
    ['garbage', 'an answer to the city search that could not be read'],
    ['empty-forecast', 'an answer to the forecast that could not be read'],
    ['hang-up', 'Open-Meteo could not be reached for the city search: other side closed'],
  ] as const)('%s is an error that says so', async (fault, reason) => {
    openMeteo.fault = fault;
    const result = await callTool(extension, 'weather', { city: 'Tokyo' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain(reason);
  });

  test('no server there', async () => {
    vi.stubEnv('OPEN_METEO_URL', `http://127.0.0.1:${await unusedPort()}`);
    const result = await callTool(extension, 'weather', { city: 'Tokyo' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain('ECONNREFUSED');
  });

  test('cancelled while the server thinks', async () => {
    openMeteo.fault = 'no-answer';
    const stop = new AbortController();
    const call = callTool(extension, 'weather', { city: 'Tokyo' }, { signal: stop.signal });
    await vi.waitFor(() => expect(openMeteo.requests).toHaveLength(1));
    stop.abort();
    const result = await call;
    expect([result.isError, textOf(result)]).toEqual([true, 'The weather request was cancelled.']);
  });

  test('cancelled before it began: nothing is asked', async () => {
    const result = await callTool(extension, 'weather', { city: 'Tokyo' }, { signal: AbortSignal.abort() });
    expect(result.isError).toBe(true);
    expect(openMeteo.requests).toEqual([]);
  });

  test('gives up after the time limit', async () => {
    openMeteo.fault = 'no-answer';
    await expect(fetchForecast('Tokyo', 'celsius', { timeoutMs: 100 })).rejects.toThrow(
      'Open-Meteo did not answer the city search within 0.1 s.',
    );
  });

  test('the city search can have a server of its own', async () => {
    const other = await startOpenMeteo();
    vi.stubEnv('OPEN_METEO_GEOCODING_URL', `${other.url}/`);
    await fetchForecast('Tokyo', 'celsius').finally(() => other.close());
    expect([other.requests.length, openMeteo.requests.length]).toEqual([1, 1]);
  });

  test('each guideline names the tool, and progress is reported', async () => {
    const tool = extension.tools.get('weather') as unknown as { promptGuidelines: string[] };
    for (const line of tool.promptGuidelines) expect(line).toContain('weather');
    const updates: unknown[] = [];
    await callTool(extension, 'weather', { city: 'Tokyo' }, { onUpdate: (update) => updates.push(update) });
    expect(updates).toHaveLength(1);
  });
});

describe('weather in SlopCode and opencode', () => {
  test('gives the text that pi gives', async () => {
    const tools = await loadSlopcodeTools(join(here, 'slopcode', 'weather.ts'));
    expect([...tools.keys()]).toEqual(['weather']);
    const inPi = await callTool(extension, 'weather', { city: 'Tokyo' });
    await expect(callSlopcodeTool(tools, 'weather', { city: 'Tokyo' })).resolves.toBe(textOf(inPi));
    await expect(callSlopcodeTool(tools, 'weather', { city: 'Atlantis' })).rejects.toThrow('No city called');
  });
});

/** A port that was free a moment ago. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

test('an answer with the temperature alone is enough', async () => {
  const lean = createHttpServer((request, response) => {
    const place = { results: [{ name: 'Oslo', latitude: 59.9, longitude: 10.7 }] };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(request.url?.startsWith('/v1/search') ? place : { current: { temperature_2m: -3 } }));
  });
  await new Promise<void>((resolve) => lean.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('OPEN_METEO_URL', `http://127.0.0.1:${(lean.address() as AddressInfo).port}/`);
  const result = await callTool(extension, 'weather', { city: 'Oslo' });
  lean.close();
  expect(result).toMatchObject({ isError: false, details: { temperature: -3, humidityPercent: null, today: null } });
  expect(textOf(result)).toBe('Oslo: -3 °C.');
});
