package worker

import "quern/engine"

// Local is the engine inside this process.
func (e *Engine) Local() engine.Engine { return e.Engine }

// Dir is where the workers have their folders.
func (e *Engine) Dir() string { return e.options.Dir }
