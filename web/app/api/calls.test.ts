import { describe, expect, it } from 'vitest';
import { endpoints } from './api.server.ts';
import { SPECIFIED_CALLS } from './testing/specified-calls.ts';

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe('the calls of the API', () => {
  it('are all that the specification names, each with its permission', () => {
    expect(Object.keys(SPECIFIED_CALLS)).toHaveLength(168);
    const served = Object.fromEntries(endpoints.map((endpoint) => [nameOf(endpoint), endpoint.access]));
    expect(served).toMatchObject(SPECIFIED_CALLS);
  });

  it('are each defined once', () => {
    const names = endpoints.map(nameOf);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
