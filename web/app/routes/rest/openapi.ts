import type { LoaderFunctionArgs } from '@remix-run/node';
import { endpoints } from '../../api/api.server.ts';
import { openApiDocument } from '../../api/openapi.ts';
import { keptAnswer } from '../../http/kept-answer.server.ts';

const answer = keptAnswer('application/json', () => JSON.stringify(openApiDocument(endpoints, '1')));

export const loader = ({ request }: LoaderFunctionArgs) => answer(request);
