import { expect, it } from 'vitest';
import { conditionOf, placeOf } from './weather.ts';

it.each([
  ['Will it rain in New York tomorrow?', 'New York'],
  ['weather in Berlin', 'Berlin'],
  ['London', 'London'],
  ['what is the weather like in the The Hague today', 'The Hague'],
  ['How cold is it in Springfield, Illinois this week?', 'Springfield, Illinois'],
  ['Paris weather please', 'Paris'],
  ['forecast for são paulo', 'são paulo'],
])('finds the place in “%s”', (question, place) => {
  expect(placeOf(question)).toBe(place);
});

it.each(['What is the weather?', 'will it rain tomorrow', '?!', `weather in ${'x'.repeat(101)}`])(
  'finds no place in “%s”',
  (question) => {
    expect(placeOf(question)).toBeNull();
  },
);

it('names the conditions, also those it does not know', () => {
  expect([0, 63, 99, 12].map(conditionOf)).toEqual([
    'clear sky',
    'rain',
    'thunderstorm with hail',
    'unknown conditions',
  ]);
});
