import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { errorBodySchema } from './errors.ts';

type Json = Record<string, unknown>;

type ToSchema = (schema: z.ZodType, io: 'input' | 'output') => Json;

/** Makes JSON schemas whose named parts (`.meta({ id })`) are gathered once, as components of the document. */
function schemaMaker(components: Json): ToSchema {
  const inDocument = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inDocument);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) =>
        key === '$ref' && typeof entry === 'string'
          ? [key, entry.replace('#/$defs/', '#/components/schemas/')]
          : [key, inDocument(entry)],
      ),
    );
  };
  return (schema, io) => {
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12', reused: 'inline' });
    const { $schema: _, $defs = {}, ...rest } = inDocument(made) as Json & { $defs?: Record<string, Json> };
    for (const [name, { id: __, ...definition }] of Object.entries($defs)) components[name] = definition;
    return rest;
  };
}

/** OpenAPI 3.1 of the very definitions that validate the calls. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  const toSchema = schemaMaker(schemas);
  toSchema(z.array(errorBodySchema), 'output');
  for (const definition of endpoints) {
    paths[definition.path] ??= {};
    (paths[definition.path] as Json)[definition.method.toLowerCase()] = operation(definition, toSchema);
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
      schemas,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
        refresh: {
          type: 'apiKey',
          in: 'cookie',
          name: 'tapeline_refresh',
          description: 'Set by signing in; the name begins with that of the instance',
        },
      },
    },
  };
}

function operation(definition: Endpoint, toSchema: ToSchema): Json {
  const tag = definition.path.split('/').slice(1, 3).join('/');
  const safe = definition.method === 'GET';
  const signedIn = definition.access !== 'public' && definition.access !== 'refresh cookie';
  const errors = [
    '400',
    ...(definition.access === 'public' ? [] : ['401']),
    ...(signedIn || !safe ? ['403'] : []),
    '404',
    ...(definition.access === 'public' ? ['429'] : []),
    '502',
  ];
  return {
    summary: definition.summary,
    tags: [tag],
    description: `Permission: ${definition.access}.`,
    security: [
      {
        ...(signedIn ? { bearer: [] } : {}),
        ...(definition.access === 'refresh cookie' ? { refresh: [] } : {}),
        ...(safe ? {} : { csrf: [] }),
      },
    ],
    parameters: [
      ...parameters(definition.params, 'path', toSchema),
      ...parameters(definition.query, 'query', toSchema),
    ],
    ...(definition.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: toSchema(definition.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [definition.status]:
        definition.status === 204
          ? { description: 'Done' }
          : {
              description: 'Success',
              content: { 'application/json': { schema: toSchema(definition.response, 'output') } },
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

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query', toSchema: ToSchema): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toSchema(schema, 'input') as {
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
