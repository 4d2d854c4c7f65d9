/** Every route, listed by hand. */
import type { App } from '../app.ts';
import type { Deps } from '../deps.ts';
import { addDiffRoute } from './diff.ts';
import { addEventRoutes } from './events.ts';
import { addHealthRoutes } from './health.ts';
import { addOpenApiRoute } from './openapi.ts';
import { addOwnerRoutes } from './owners.ts';
import { addPackageRoutes } from './packages.ts';
import { addPublishRoute } from './publish.ts';
import { addReviewRoutes } from './reviews.ts';
import { addSearchRoute } from './search.ts';
import { addStatusRoutes } from './status.ts';
import { addTagRoutes } from './tags.ts';
import { addTokenRoutes } from './tokens.ts';
import { addUserRoutes } from './users.ts';
import { addWaiverRoutes } from './waivers.ts';

export const addRoutes = (app: App, deps: Deps): void => {
  addPackageRoutes(app, deps);
  addDiffRoute(app, deps);
  addPublishRoute(app, deps);
  addSearchRoute(app, deps);
  addTagRoutes(app, deps);
  addOwnerRoutes(app, deps);
  addStatusRoutes(app, deps);
  addWaiverRoutes(app, deps);
  addReviewRoutes(app, deps);
  addTokenRoutes(app, deps);
  addUserRoutes(app, deps);
  addEventRoutes(app, deps);
  addHealthRoutes(app, deps);
  addOpenApiRoute(app);
};
