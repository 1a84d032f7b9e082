/** Words of a question about the weather that are not part of the place. */
const WORDS: ReadonlySet<string> = new Set(
  "what, what's, whats, how, how's, is, are, was, will, would, does, do, it, it's, be, going, get, getting, like, the, a, an, of, about, tell, me, show, give, please, can, could, you, weather, forecast, temperature, temperatures, rain, raining, rainy, snow, snowing, sun, sunny, wind, windy, hot, cold, warm, cool, wet, dry, degrees, outside, today, tonight, tomorrow, now, currently, current, right, this, next, week, weekend, morning, afternoon, evening, day, days, in, for, at, near, around, on, there, and, or, do, i, need, umbrella, jacket".split(
    ', ',
  ),
);
const MAX_PLACE = 100;

/** The place in a question about the weather: "Will it rain in New York tomorrow?"; null if it names none. */
export function placeOf(question: string): string | null {
  const words = question.match(/[\p{L}\p{M}\d.'’-]+|,/gu) ?? [];
  // A capital letter belongs to a name, except in the first word: "in The Hague".
  const isWord = (word: string, at: number) =>
    WORDS.has(word.toLowerCase().replace('’', "'").replace(/\.$/, '')) && (at === 0 || word === word.toLowerCase());
  const kept = words.filter((word, at) => !isWord(word, at));
  const place = kept
    .join(' ')
    .replaceAll(' ,', ',')
    .replace(/^[,. ]+|[,. ]+$/g, '');
  return place === '' || place.length > MAX_PLACE ? null : place;
}

/** What the codes of the World Meteorological Organization mean, as forecasts use them. */
const CONDITIONS: readonly (readonly [codes: readonly number[], words: string])[] = [
  [[0], 'clear sky'],
  [[1], 'mostly clear'],
  [[2], 'partly cloudy'],
  [[3], 'overcast'],
  [[45, 48], 'fog'],
  [[51, 53, 55], 'drizzle'],
  [[56, 57], 'freezing drizzle'],
  [[61], 'light rain'],
  [[63], 'rain'],
  [[65], 'heavy rain'],
  [[66, 67], 'freezing rain'],
  [[71], 'light snow'],
  [[73], 'snow'],
  [[75], 'heavy snow'],
  [[77], 'snow grains'],
  [[80, 81], 'showers'],
  [[82], 'heavy showers'],
  [[85, 86], 'snow showers'],
  [[95], 'thunderstorm'],
  [[96, 99], 'thunderstorm with hail'],
];

export const conditionOf = (code: number): string =>
  CONDITIONS.find(([codes]) => codes.includes(code))?.[1] ?? 'unknown conditions';
