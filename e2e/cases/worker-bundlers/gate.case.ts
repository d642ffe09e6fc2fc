// The npm package in the build of a site: two bundlers. The others are in others.case.ts.

import { testProject } from "../../bundlers/cases.ts";
import { GATE } from "../../bundlers/projects.ts";
import { test } from "../../fixtures.ts";

test.use({ withExtension: false });

for (const project of GATE) testProject(project);
