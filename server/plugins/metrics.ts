/** `GET /metrics`: requests by route, method and status, and what the process uses. No names, no users. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { App } from '../app.ts';

/** Gives what counts an answer that takes no time worth measuring (repeated-reads.ts). */
export const addMetrics = (app: App): ((route: string) => () => void) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'pi_tools_requests_total',
    help: 'Requests answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'pi_tools_request_seconds',
    help: 'Time from a request to the end of its answer.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60],
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    // The pattern, not the URL: a label per package name would grow without end.
    const route = request.routeOptions.url ?? 'none';
    requests.inc({ method: request.method, route, status: reply.statusCode });
    durations.observe({ route }, reply.elapsedTime / 1000);
    done();
  });
  app.get('/metrics', { schema: { hide: true } }, async (_request, reply) => {
    reply.type(registry.contentType);
    return registry.metrics();
  });
  return (route) => {
    const answered = requests.labels('GET', route, '200');
    const took = durations.labels(route);
    return () => {
      answered.inc();
      took.observe(0);
    };
  };
};
