import { describe, expect, it } from 'vitest';
import { mismatches } from './answer-check.ts';
import { endpoints } from './api.server.ts';
import { EXAMPLE_CALLS, exampleOf } from './example-calls.ts';
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
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
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
  const calls = endpoints.flatMap((endpoint) => {
    const example = exampleOf(endpoint);
    return example ? [{ call: `${endpoint.method} ${endpoint.path}`, endpoint, example }] : [];
  });

  it('each call is of a call of the API', () => {
    expect(calls.map(({ call }) => call)).toEqual(expect.arrayContaining(Object.keys(EXAMPLE_CALLS)));
  });

  it.each(calls)('$call is a call that the API accepts, and a response of it', ({ endpoint, example }) => {
    if (example.body !== undefined) expect(endpoint.body?.safeParse(example.body).error?.issues ?? []).toEqual([]);
    if (example.response !== undefined) expect(mismatches(endpoint.response, example.response)).toEqual([]);
  });
});
