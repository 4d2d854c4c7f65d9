import { StringEnum } from '@earendil-works/pi-ai';
import type { ExtensionAPI } from '@earendil-works/pi-coding-agent';
import { Type } from 'typebox';
import { describeForecast, fetchForecast, UNITS, type Unit } from './forecast.ts';

export default function weather(pi: ExtensionAPI) {
  pi.registerTool({
    name: 'weather',
    label: 'Weather',
    description:
      "Get the current weather of a city and today's lowest and highest temperature. Data: Open-Meteo. The city may be written in any language.",
    promptSnippet: "Current weather and today's range for a city",
    promptGuidelines: [
      'Use weather when the user asks about the weather or the temperature of a place; do not answer such questions from memory.',
      'Call weather with a city, not with a country, a region or coordinates.',
    ],
    parameters: Type.Object({
      city: Type.String({
        description: 'Name of the city, for example "Tokyo", "北京" or "Казань"',
        minLength: 1,
        maxLength: 100,
      }),
      unit: Type.Optional(
        StringEnum(UNITS, { description: 'Unit of the temperatures (default: celsius)', default: 'celsius' }),
      ),
    }),
    async execute(_toolCallId, params, signal, onUpdate) {
      onUpdate?.({
        content: [{ type: 'text', text: `Asking Open-Meteo about ${params.city} ...` }],
        details: undefined,
      });
      const forecast = await fetchForecast(params.city, (params.unit ?? 'celsius') as Unit, { signal });
      return { content: [{ type: 'text', text: describeForecast(forecast) }], details: forecast };
    },
  });
}
