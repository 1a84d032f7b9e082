import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { answerWeather } from './weather.server.ts';

const BERLIN = {
  results: [{ name: 'Berlin', latitude: 52.52, longitude: 13.41, country: 'Germany', admin1: 'Land Berlin' }],
};
const FORECAST = {
  current: { time: '2026-11-24T15:00', temperature_2m: -2.4, weather_code: 71, wind_speed_10m: 14.2 },
  daily: {
    time: ['2026-11-24', '2026-11-25'],
    weather_code: [71, 0],
    temperature_2m_max: [1.6, 3],
    temperature_2m_min: [-4.6, null],
    precipitation_sum: [2.25, 0],
  },
};
let server: Server;
let service = { url: '', placesUrl: '' };
let asked: URL[] = [];
let answers: Record<string, unknown> = {};

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    asked.push(url);
    const answer = answers[url.pathname];
    if (answer === 'redirect') response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    else if (answer === undefined) response.writeHead(500).end();
    else response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  service = { url: `${base}/`, placesUrl: base };
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  asked = [];
  answers = { '/v1/search': BERLIN, '/v1/forecast': FORECAST };
});

it('answers with the weather now and on the days that follow', async () => {
  expect(await answerWeather(service, 'Will it snow in Berlin?')).toBe(
    [
      'Berlin, Land Berlin, Germany: −2 °C, light snow, wind 14 km/h at 15:00 local time.',
      '24 Nov 2026: −5 to 2 °C, light snow, 2.3 mm',
      '25 Nov 2026: n/a to 3 °C, clear sky',
    ].join('\n'),
  );
});

it('sends the name of the place and nothing else of the question', async () => {
  await answerWeather(service, 'Berlin & tomorrow');
  expect(asked.map(({ pathname }) => pathname)).toEqual(['/v1/search', '/v1/forecast']);
  expect(asked[0]?.searchParams.get('name')).toBe('Berlin');
  expect(asked[1]?.searchParams.get('latitude')).toBe('52.52');
});

it('says that there is no service, and asks for a place', async () => {
  expect(await answerWeather(null, 'Berlin')).toMatch(/^No weather service is connected/);
  expect(await answerWeather(service, 'What is the weather?')).toMatch(/^Which place/);
  expect(asked).toEqual([]);
});

it('says that the service knows no such place', async () => {
  answers['/v1/search'] = {};
  expect(await answerWeather(service, 'weather in Xyzzy')).toBe('The weather service knows no place called “Xyzzy”.');
});

it.each([
  ['an error', undefined],
  ['a redirect', 'redirect'],
  ['text that is not JSON', '<html>'],
  ['another shape', { current: {} }],
  ['more than the most bytes', JSON.stringify({ ...FORECAST, more: 'x'.repeat(250_000) })],
])('does not show %s', async (_, answer) => {
  answers['/v1/forecast'] = answer;
  expect(await answerWeather(service, 'Berlin')).toBe(
    'The weather service did not answer as expected. Try again later.',
  );
});
