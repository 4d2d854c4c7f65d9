/** Two public Open-Meteo calls: the city's coordinates, then the forecast there. Shared by every agent's entry. */

export const UNITS = ['celsius', 'fahrenheit'] as const;
export type Unit = (typeof UNITS)[number];

export interface Forecast {
  city: string;
  country: string | null;
  latitude: number;
  longitude: number;
  unit: Unit;
  /** Local time of the measurement, as Open-Meteo writes it: 2026-11-30T09:15 */
  time: string | null;
  timezone: string | null;
  temperature: number;
  /** From here on null where the model behind a place does not give the value. */
  feelsLike: number | null;
  humidityPercent: number | null;
  windKmh: number | null;
  condition: string | null;
  today: { low: number; high: number; rainChancePercent: number | null } | null;
}

export interface ForecastOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
}

interface Place {
  name: string;
  country?: string;
  latitude: number;
  longitude: number;
}

const DEFAULT_TIMEOUT_MS = 15_000;

/**
 * The weather now and today's range in `city`.
 * Throws an Error that says what went wrong: unknown city, no network, an HTTP error, no answer in time, cancelled.
 */
export async function fetchForecast(city: string, unit: Unit, options: ForecastOptions = {}): Promise<Forecast> {
  const name = city.trim();
  if (name === '') throw new Error('city is empty: give the name of a city');
  const place = await findPlace(name, options);
  const url = endpoint(process.env.OPEN_METEO_URL, 'https://api.open-meteo.com', '/v1/forecast', {
    latitude: String(place.latitude),
    longitude: String(place.longitude),
    current: 'temperature_2m,apparent_temperature,relative_humidity_2m,wind_speed_10m,weather_code',
    daily: 'temperature_2m_min,temperature_2m_max,precipitation_probability_max',
    temperature_unit: unit,
    wind_speed_unit: 'kmh',
    timezone: 'auto',
    forecast_days: '1',
  });
  return toForecast(place, unit, await getJson(url, 'the forecast', options));
}

/** One paragraph for the model. */
export function describeForecast(forecast: Forecast): string {
  const degrees = forecast.unit === 'celsius' ? '°C' : '°F';
  const where = forecast.country === null ? forecast.city : `${forecast.city}, ${forecast.country}`;
  const { today, time, timezone } = forecast;
  const condition = forecast.condition === null ? '' : `, ${forecast.condition}`;
  const felt = forecast.feelsLike === null ? '' : ` (feels like ${forecast.feelsLike} ${degrees})`;
  const lines = [`${where}: ${forecast.temperature} ${degrees}${condition}${felt}.`];
  if (forecast.humidityPercent !== null) lines.push(`Humidity ${forecast.humidityPercent} %.`);
  if (forecast.windKmh !== null) lines.push(`Wind ${forecast.windKmh} km/h.`);
  if (today !== null) {
    const rain = today.rainChancePercent === null ? '' : `, chance of rain ${today.rainChancePercent} %`;
    lines.push(`Today ${today.low} to ${today.high} ${degrees}${rain}.`);
  }
  if (time !== null) lines.push(`Measured ${time}${timezone === null ? '' : ` (${timezone})`}.`);
  return lines.join('\n');
}

async function findPlace(name: string, options: ForecastOptions): Promise<Place> {
  // A stand-in or a proxy usually serves both calls, so one variable is enough for it.
  const base = process.env.OPEN_METEO_GEOCODING_URL ?? process.env.OPEN_METEO_URL;
  const url = endpoint(base, 'https://geocoding-api.open-meteo.com', '/v1/search', {
    name,
    count: '1',
    language: 'en',
    format: 'json',
  });
  const answer = await getJson(url, 'the city search', options);
  const [place] = (isObject(answer) && Array.isArray(answer.results) ? answer.results : []) as unknown[];
  if (!isObject(place)) {
    throw new Error(`No city called "${name}" was found. Check the spelling, or name a larger city nearby.`);
  }
  if (typeof place.latitude !== 'number' || typeof place.longitude !== 'number') throw unreadable('the city search');
  return {
    name: typeof place.name === 'string' ? place.name : name,
    ...(typeof place.country === 'string' ? { country: place.country } : {}),
    latitude: place.latitude,
    longitude: place.longitude,
  };
}

function endpoint(configured: string | undefined, standard: string, path: string, query: Record<string, string>): URL {
  const base = (configured || standard).replace(/\/+$/, '');
  const url = new URL(base + path);
  url.search = new URLSearchParams(query).toString();
  return url;
}

async function getJson(url: URL, what: string, options: ForecastOptions): Promise<unknown> {
  options.signal?.throwIfAborted();
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  try {
    const response = await fetch(url, { signal, headers: { accept: 'application/json' } });
    if (!response.ok)
      throw new HttpError(`Open-Meteo answered HTTP ${response.status} to ${what}.${await reason(response)}`);
    return await response.json();
  } catch (error) {
    if (options.signal?.aborted) throw new Error('The weather request was cancelled.');
    if (deadline.aborted)
      throw new Error(`Open-Meteo did not answer ${what} within ${timeoutMs / 1000} s. Try again later.`);
    if (error instanceof HttpError) throw error;
    if (error instanceof SyntaxError) throw unreadable(what);
    throw new Error(`Open-Meteo could not be reached for ${what}: ${networkCause(error)}`);
  }
}

class HttpError extends Error {}

/** Open-Meteo explains its refusals as {"reason": "..."}; a proxy in between may send anything. */
async function reason(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  return isObject(body) && typeof body.reason === 'string' ? ` ${body.reason.slice(0, 200)}` : '';
}

/** `fetch failed` alone helps nobody: the cause says ECONNREFUSED, ENOTFOUND ... */
function networkCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause;
  if (cause instanceof Error) return cause.message || (cause as NodeJS.ErrnoException).code || error.message;
  return error.message;
}

function toForecast(place: Place, unit: Unit, answer: unknown): Forecast {
  if (!isObject(answer) || !isObject(answer.current)) throw unreadable('the forecast');
  const { current } = answer;
  const temperature = numberOrNull(current.temperature_2m);
  if (temperature === null) throw unreadable('the forecast');
  const code = numberOrNull(current.weather_code);
  return {
    city: place.name,
    country: place.country ?? null,
    latitude: place.latitude,
    longitude: place.longitude,
    unit,
    time: textOrNull(current.time),
    timezone: textOrNull(answer.timezone),
    temperature,
    feelsLike: numberOrNull(current.apparent_temperature),
    humidityPercent: numberOrNull(current.relative_humidity_2m),
    windKmh: numberOrNull(current.wind_speed_10m),
    condition: code === null ? null : conditionOf(code),
    today: isObject(answer.daily) ? toDay(answer.daily) : null,
  };
}

function toDay(daily: Record<string, unknown>): Forecast['today'] {
  const low = numberOrNull(first(daily.temperature_2m_min));
  const high = numberOrNull(first(daily.temperature_2m_max));
  if (low === null || high === null) return null;
  return { low, high, rainChancePercent: numberOrNull(first(daily.precipitation_probability_max)) };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const unreadable = (what: string): Error => new Error(`Open-Meteo sent an answer to ${what} that could not be read.`);

/** WMO weather codes in the groups that Open-Meteo documents: [highest code of the group, words]. */
const CONDITIONS: readonly (readonly [number, string])[] = [
  [0, 'clear sky'],
  [1, 'mainly clear'],
  [2, 'partly cloudy'],
  [3, 'overcast'],
  [48, 'fog'],
  [55, 'drizzle'],
  [57, 'freezing drizzle'],
  [65, 'rain'],
  [67, 'freezing rain'],
  [75, 'snow'],
  [77, 'snow grains'],
  [82, 'rain showers'],
  [86, 'snow showers'],
  [95, 'thunderstorm'],
  [99, 'thunderstorm with hail'],
];

function conditionOf(code: number): string {
  return CONDITIONS.find(([highest]) => code <= highest)?.[1] ?? `weather code ${code}`;
}
