import { describe, expect, it } from 'vitest';
import { mismatches } from './answer-check.ts';
import { endpoints } from './api.server.ts';
import { EXAMPLE_CALLS } from './example-calls.ts';
import { openApiDocument } from './openapi.ts';

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>;
}

const document = openApiDocument(endpoints, '1.0.0') as { paths: Record<string, Record<string, Operation>> };
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const schemasOf = ({ requestBody, responses }: Operation): object[] =>
  [requestBody, ...Object.values(responses)].flatMap((part) =>
    part?.content?.['application/json'] ? [part.content['application/json'].schema] : [],
  );

describe('the OpenAPI document', () => {
  it('names every operation once', () => {
    const names = operations.map(({ operationId }) => operationId);
    expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
    expect(names).toEqual(
      expect.arrayContaining(['getFundsById', 'postFunds', 'putLPCommitmentsBulkUpdate', 'getLTP']),
    );
  });

  it('names the schema of every body and response', () => {
    const unnamed = operations.flatMap((operation) =>
      schemasOf(operation).filter((schema) => !/"\$ref":/.test(JSON.stringify(schema)) || 'properties' in schema),
    );
    expect(unnamed).toEqual([]);
  });

  it('shows an example of every body that creates a document', () => {
    const without = Object.entries(document.paths)
      .filter(([path, { post }]) => path.startsWith('/crud/') && !path.includes('{') && post?.requestBody)
      .filter(([, { post }]) => post?.requestBody?.content['application/json']?.example === undefined)
      .map(([path]) => path);
    expect(without).toEqual(['/crud/distributions/reGenerateFiles']);
  });
});

describe('the example of', () => {
  it.each(Object.entries(EXAMPLE_CALLS))('%s is a call that the API accepts, and a response of it', (call, example) => {
    const endpoint = endpoints.find(({ method, path }) => `${method} ${path}` === call);
    if (!endpoint) throw new Error(`${call} is not a call of the API`);
    if (example.body !== undefined) expect(endpoint.body?.safeParse(example.body).error?.issues ?? []).toEqual([]);
    if (example.response !== undefined) expect(mismatches(endpoint.response, example.response)).toEqual([]);
  });
});
