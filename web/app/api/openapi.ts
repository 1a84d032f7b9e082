import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { errorBodySchema } from './errors.ts';

type Json = Record<string, unknown>;

const jsonSchema = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    reused: 'inline',
  });
  return rest as Json;
};

/** OpenAPI 3.1 of the very definitions that validate the calls. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const definition of endpoints) {
    paths[definition.path] ??= {};
    (paths[definition.path] as Json)[definition.method.toLowerCase()] = operation(definition);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tapeline',
      version,
      description: 'Private-credit and fund management: loan tapes, borrowing bases, funds.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBodySchema, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
      },
    },
  };
}

function operation(definition: Endpoint): Json {
  const tag = definition.path.split('/').slice(1, 3).join('/');
  const safe = definition.method === 'GET';
  const signedIn = definition.access !== 'public' && definition.access !== 'refresh cookie';
  const errors = ['400', ...(signedIn ? ['401', '403'] : safe ? [] : ['403']), '404', '502'];
  return {
    summary: definition.summary,
    tags: [tag],
    description: `Permission: ${definition.access}.`,
    security: [{ ...(signedIn ? { bearer: [] } : {}), ...(safe ? {} : { csrf: [] }) }],
    parameters: [...parameters(definition.params, 'path'), ...parameters(definition.query, 'query')],
    ...(definition.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(definition.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [definition.status]:
        definition.status === 204
          ? { description: 'Done' }
          : {
              description: 'Success',
              content: { 'application/json': { schema: jsonSchema(definition.response, 'output') } },
            },
      ...Object.fromEntries(
        errors.map((status) => [
          status,
          {
            description: 'See the error catalogue',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}
