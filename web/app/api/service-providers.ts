import {
  createServiceProvider,
  createServiceProviders,
  listServiceProviders,
  SERVICE_PROVIDERS,
  type ServiceProviderView,
  updateServiceProvider,
} from '@tapeline/db/operations/service-providers/service-providers.ts';
import { idSchema } from '@tapeline/domain/documents/id.schema.ts';
import {
  serviceProviderCreateSchema,
  serviceProviderSchema,
  serviceProviderUpdateSchema,
} from '@tapeline/domain/service-providers/service-provider.schema.ts';
import { baseOf } from './documents.ts';
import { type Endpoint, endpoint } from './endpoint.ts';
import { entityBody } from './entities.ts';
import { ofCollection, resource } from './resource.ts';
import { requireReadStatus, splitStatus, withReadStatus } from './status-fields.ts';

const toBody = (provider: ServiceProviderView) => ({
  ...baseOf(provider),
  title: provider.title,
  description: provider.description ?? null,
  type: provider.type,
  entities: provider.entities.map(entityBody),
});

const described = ofCollection('serviceProviders');

export const serviceProviderEndpoints: readonly Endpoint[] = [
  ...resource({
    ...described,
    response: serviceProviderSchema,
    toBody,
    list: { listable: SERVICE_PROVIDERS, load: listServiceProviders },
    create: {
      body: serviceProviderCreateSchema,
      run: createServiceProvider,
      runAll: createServiceProviders,
      example: {
        title: 'Granite Administration',
        type: 'Administrator',
        description: 'Keeps the register of investors',
        entities: ['65f0c2a1b3d4e5f601234567'],
      },
    },
  }),
  endpoint({
    method: 'PUT',
    path: described.path,
    access: described.write,
    summary: 'Update a service provider, which the body names by its id',
    body: withReadStatus(serviceProviderUpdateSchema.extend({ id: idSchema })),
    response: serviceProviderSchema,
    handle: ({ body: given, db }) =>
      db(async (session) => {
        const { body, status } = splitStatus(serviceProviderUpdateSchema, given);
        const { id, ...change } = body;
        const updated = toBody(await updateServiceProvider(session, { id, body: change }));
        return { body: requireReadStatus('a service provider', status, updated) };
      }),
  }),
];
