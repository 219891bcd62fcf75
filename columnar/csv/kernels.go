package csv

// kernels are the inner loops, in the form that suits the processor.
type kernels struct {
	classify classifier
	extract  extractor
}

var portableKernels = kernels{classify: classifyPortable, extract: extractPortable}
