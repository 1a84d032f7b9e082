import { checkDeployment } from './check-deployment.ts';

/** `npm run check-deployment`: Helm and Docker check the chart, the compose file and the image, where they exist. */
const results = await checkDeployment(process.env, (line) => console.log(line));
process.exitCode = results.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
