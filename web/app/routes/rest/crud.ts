import { serveApi } from '../../api/api.server.ts';

export const loader = serveApi;
export const action = serveApi;
