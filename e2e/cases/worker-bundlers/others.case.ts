// The npm package in the build of a site: the bundlers that are not in gate.case.ts.

import { testProject } from "../../bundlers/cases.ts";
import { OTHERS } from "../../bundlers/projects.ts";
import { test } from "../../fixtures.ts";

test.use({ withExtension: false });

for (const project of OTHERS) testProject(project);
