import { endpoints } from '../../api/api.server.ts';
import { openApiDocument } from '../../api/openapi.ts';

export const loader = () => Response.json(openApiDocument(endpoints, '1'));
