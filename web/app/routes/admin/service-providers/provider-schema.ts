import { serviceProviderCreateSchema } from '@tapeline/domain/service-providers/service-provider.schema.ts';

export const providerFormSchema = serviceProviderCreateSchema.pick({ title: true, type: true, description: true });
