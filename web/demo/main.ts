import { initModel } from "./model.js";
import { Session } from "./session.js";
import { initText } from "./text.js";
import { initWrite } from "./write.js";

const session = new Session();
initWrite(session);
initText(session);
initModel(session);
