package net

// stepTile is what one head of one row asks of its steps, as the assembly knows it.
type stepTile struct {
	row     *float32 // what is asked, or where the answer goes
	past    *float32 // of step 0
	stride  int      // from step to step
	path    *int32
	count   int
	each    int // numbers of a row
	weights *float32
}

func (p *path) tile(row, past []float32, stride int) stepTile {
	return stepTile{&row[0], &past[0], stride, &p.steps[0], len(p.steps), len(row), &p.weights[0]}
}

// score sets the weights to how like a row the steps are: their dot products.
func (p *path) score(row, past []float32, stride int) {
	if fast && !portable && len(row)%lanes == 0 {
		t := p.tile(row, past, stride)
		scoreAVX2(&t)
		return
	}
	for j, step := range p.steps {
		p.weights[j] = dot(row, past[int(step)*stride:])
	}
}

// mix sets a row to the sum of the steps, by their weights.
func (p *path) mix(row, past []float32, stride int) {
	if fast && !portable && len(row)%lanes == 0 {
		t := p.tile(row, past, stride)
		mixAVX2(&t)
		return
	}
	clear(row)
	for j, step := range p.steps {
		for k, v := range past[int(step)*stride:][:len(row)] {
			row[k] += float32(p.weights[j] * v)
		}
	}
}

// dot adds products up in lanes, and those as the assembly does.
func dot(a, b []float32) float32 {
	var part [lanes]float32
	b = b[:len(a)]
	for i, v := range a {
		part[i%lanes] += float32(v * b[i])
	}
	for half := lanes / 2; half > 0; half /= 2 {
		for i := range half {
			part[i] += part[i+half]
		}
	}
	return part[0]
}
