/** A stand-in for Open-Meteo on loopback: it knows three cities, remembers what was asked, and can fail in every way. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fault = 'none' | 'http-500' | 'refusal' | 'garbage' | 'no-answer' | 'hang-up' | 'empty-forecast';

export type OpenMeteo = {
  url: string;
  requests: URL[];
  fault: Fault;
  close(): Promise<void>;
};

const PLACES = [
  { name: 'Tokyo', aliases: ['tokyo', '东京', 'токио'], country: 'Japan', latitude: 35.6895, longitude: 139.6917 },
  { name: 'Kazan', aliases: ['kazan', 'казань'], country: 'Russia', latitude: 55.7887, longitude: 49.1221 },
  { name: 'Reykjavík', aliases: ['reykjavík'], country: 'Iceland', latitude: 64.1355, longitude: -21.8954 },
  { name: 'Nowhere', aliases: ['nowhere'], latitude: 0, longitude: 0 },
];

/** Starts the stand-in on a free port. */
export async function startOpenMeteo(): Promise<OpenMeteo> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    standIn.requests.push(url);
    if (standIn.fault === 'no-answer') return;
    if (standIn.fault === 'hang-up') response.destroy();
    else send(response, replyTo(url, standIn.fault));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const standIn: OpenMeteo = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    fault: 'none',
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return standIn;
}

type Reply = { status: number; body: unknown };

function replyTo(url: URL, fault: Fault): Reply {
  if (fault === 'http-500') return { status: 500, body: { message: 'oops' } };
  if (fault === 'refusal')
    return { status: 400, body: { error: true, reason: 'Latitude must be in range of -90 to 90°.' } };
  if (fault === 'garbage') return { status: 200, body: '<html>captive portal</html>' };
  if (url.pathname === '/v1/search') return { status: 200, body: search(url.searchParams.get('name') ?? '') };
  if (url.pathname !== '/v1/forecast') return { status: 404, body: { error: true, reason: 'Not Found' } };
  return { status: 200, body: fault === 'empty-forecast' ? { current: {}, daily: {} } : forecast(url.searchParams) };
}

function search(name: string): unknown {
  const place = PLACES.find(({ aliases }) => aliases.includes(name.toLowerCase()));
  // Open-Meteo leaves `results` out when it finds nothing.
  if (!place) return { generationtime_ms: 0.4 };
  const { aliases: _, ...found } = place;
  return { results: [{ id: 1, ...found }], generationtime_ms: 0.4 };
}

function forecast(query: URLSearchParams): unknown {
  const convert = (celsius: number) => (query.get('temperature_unit') === 'fahrenheit' ? celsius * 1.8 + 32 : celsius);
  return {
    latitude: Number(query.get('latitude')),
    longitude: Number(query.get('longitude')),
    timezone: 'Asia/Tokyo',
    current: {
      time: '2026-11-30T09:15',
      interval: 900,
      temperature_2m: convert(12.5),
      apparent_temperature: convert(10),
      relative_humidity_2m: 61,
      wind_speed_10m: 14.4,
      weather_code: 61,
    },
    daily: {
      time: ['2026-11-30'],
      temperature_2m_min: [convert(8)],
      temperature_2m_max: [convert(15)],
      precipitation_probability_max: [70],
    },
  };
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
