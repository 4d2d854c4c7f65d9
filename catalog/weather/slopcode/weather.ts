import { tool } from '@opencode-ai/plugin';
import { describeForecast, fetchForecast, UNITS } from '../forecast.ts';

export default tool({
  description:
    "Get the current weather of a city and today's lowest and highest temperature. Data: Open-Meteo. The city may be written in any language.",
  args: {
    city: tool.schema.string().min(1).max(100).describe('Name of the city, for example "Tokyo", "北京" or "Казань"'),
    unit: tool.schema.enum(UNITS).default('celsius').describe('Unit of the temperatures (default: celsius)'),
  },
  async execute(args, context) {
    return describeForecast(await fetchForecast(args.city, args.unit ?? 'celsius', { signal: context.abort }));
  },
});
