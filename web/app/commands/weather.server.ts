import { conditionOf, placeOf } from '@tapeline/domain/chats/weather.ts';
import { formatCalendarDate } from '@tapeline/domain/dates/calendar-date.ts';
import { z } from 'zod';

/** A weather service that speaks the protocol of Open-Meteo. */
export interface WeatherService {
  /** The base address of the forecasts, for example https://api.open-meteo.com. */
  readonly url: string;
  /** The base address of the search of places, for example https://geocoding-api.open-meteo.com. */
  readonly placesUrl: string;
}

const LIMITS = { timeoutMs: 10_000, bytes: 200_000, days: 4, name: 100 } as const;

const NO_SERVICE =
  'No weather service is connected to this installation, so the weather cannot be answered. Questions about your loans and documents can.';

const name = z.string().max(LIMITS.name);
const placesSchema = z.object({
  results: z
    .array(
      z.object({ name, latitude: z.number(), longitude: z.number(), country: name.nullish(), admin1: name.nullish() }),
    )
    .max(10)
    .optional(),
});
const figures = z.array(z.number().nullable()).max(16);
const forecastSchema = z.object({
  current: z.object({
    time: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/),
    temperature_2m: z.number(),
    weather_code: z.number(),
    wind_speed_10m: z.number(),
  }),
  daily: z.object({
    time: z.array(z.iso.date()).max(16),
    weather_code: figures,
    temperature_2m_max: figures,
    temperature_2m_min: figures,
    precipitation_sum: figures,
  }),
});

/**
 * Answers a question about the weather. Only the name of the place is sent to the service, and its answer is data: it
 * is checked against its schema, and limited in size and time.
 */
export async function answerWeather(service: WeatherService | null, question: string): Promise<string> {
  if (!service) return NO_SERVICE;
  const asked = placeOf(question);
  if (!asked) return 'Which place? Write, for example, “Weather in New York”.';
  try {
    const found = await request(service.placesUrl, '/v1/search', { name: asked, count: '1', language: 'en' });
    const [place] = placesSchema.parse(found).results ?? [];
    if (!place) return `The weather service knows no place called “${asked}”.`;
    const forecast = await request(service.url, '/v1/forecast', {
      latitude: String(place.latitude),
      longitude: String(place.longitude),
      current: 'temperature_2m,weather_code,wind_speed_10m',
      daily: 'weather_code,temperature_2m_max,temperature_2m_min,precipitation_sum',
      timezone: 'auto',
      forecast_days: String(LIMITS.days),
    });
    return describe(place, forecastSchema.parse(forecast));
  } catch {
    // The network, the deadline, or an answer that is not the protocol's.
    return 'The weather service did not answer as expected. Try again later.';
  }
}

const degrees = (celsius: number | null | undefined): string =>
  celsius === null || celsius === undefined ? 'n/a' : `${Math.round(celsius)}`.replace('-', '−');

function describe(
  place: { name: string; admin1?: string | null | undefined; country?: string | null | undefined },
  { current, daily }: z.output<typeof forecastSchema>,
): string {
  const names = [...new Set([place.name, place.admin1, place.country].filter(Boolean))].join(', ');
  const now = `${degrees(current.temperature_2m)} °C, ${conditionOf(current.weather_code)}, wind ${Math.round(current.wind_speed_10m)} km/h at ${current.time.slice(11)} local time.`;
  const days = daily.time.slice(0, LIMITS.days).map((day, at) => {
    const rain = daily.precipitation_sum[at] ?? 0;
    const wet = rain > 0 ? `, ${rain.toFixed(1)} mm` : '';
    return `${formatCalendarDate(day)}: ${degrees(daily.temperature_2m_min[at])} to ${degrees(daily.temperature_2m_max[at])} °C, ${conditionOf(daily.weather_code[at] ?? -1)}${wet}`;
  });
  return [`${names}: ${now}`, ...days].join('\n');
}

async function request(base: string, path: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(`${base.replace(/\/$/, '')}${path}?${new URLSearchParams(parameters)}`, {
    redirect: 'error',
    signal: AbortSignal.timeout(LIMITS.timeoutMs),
    headers: { accept: 'application/json' },
  });
  if (!response.ok || !response.body) throw new Error(`The service answered ${response.status}`);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > LIMITS.bytes) throw new Error('The answer of the service is too long');
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
