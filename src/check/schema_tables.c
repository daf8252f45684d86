/* SPDX-License-Identifier: MIT
 *
 * The schemas of FMI as tables; check/lint.h tells how a row is written. */
#include "check/lint.h"

#define CAUSALITIES   "parameter|calculatedParameter|input|output|local|independent"
#define VARIABILITIES "constant|fixed|tunable|discrete|continuous"
#define BASE_UNIT     "kg:i4 m:i4 s:i4 A:i4 K:i4 mol:i4 cd:i4 rad:i4 factor:f8 offset:f8"
#define DEPENDENCIES                                                                               \
    "dependencies:[u4] dependenciesKind:[{dependent|constant|fixed|tunable|discrete}]"
#define ABOUT                                                                                      \
    "description:t author:t version:s generationTool:s generationDateAndTime:d "                   \
    "variableNamingConvention:{flat|structured} "

const hk_schema_row hk_schema_fmi1[] = {
    {"Root",
     "fmiVersion!:=1.0 modelName!:t modelIdentifier!:s guid!:s " ABOUT
     "numberOfContinuousStates!:u4 numberOfEventIndicators!:u4",
     "UnitDefinitions=Units? TypeDefinitions=Types? DefaultExperiment=Experiment? "
     "VendorAnnotations=Annotations? ModelVariables=Variables? Implementation=Implementation?"},
    {"Units", "", "BaseUnit=Unit*"},
    {"Unit", "unit!:s", "DisplayUnitDefinition=DisplayUnit*"},
    {"DisplayUnit", "displayUnit!:s gain:f8 offset:f8", ""},
    {"Types", "", "Type=Type*"},
    {"Type", "name!:s description:t",
     "(RealType=RealType|IntegerType=IntegerType|BooleanType=Empty|StringType=Empty|"
     "EnumerationType=EnumerationType)"},
    {"Empty", "", ""},
    {"RealType", "quantity:s unit:s displayUnit:s relativeQuantity:b min:f8 max:f8 nominal:f8", ""},
    {"IntegerType", "quantity:s min:i4 max:i4", ""},
    {"EnumerationType", "+IntegerType", "Item=Item*"},
    {"Item", "name!:s description:t", ""},
    {"Experiment", "startTime:f8 stopTime:f8 tolerance:f8", ""},
    {"Annotations", "", "Tool=Tool*"},
    {"Tool", "name!:t", "Annotation=Annotation*"},
    {"Annotation", "name!:t value!:t", ""},
    {"Variables", "", "ScalarVariable=Variable*"},
    {"Variable",
     "name!:s valueReference!:u4 description:t "
     "variability:{constant|parameter|discrete|continuous} "
     "causality:{input|output|internal|none} alias:{noAlias|alias|negatedAlias}",
     "(Real=Real|Integer=Integer|Boolean=Boolean|String=String|Enumeration=Enumeration) "
     "DirectDependency=Direct?"},
    {"Real", "+RealType declaredType:s start:f8 fixed:b", ""},
    {"Integer", "+IntegerType declaredType:s start:i4 fixed:b", ""},
    {"Boolean", "declaredType:s start:b fixed:b", ""},
    {"String", "declaredType:s start:t fixed:b", ""},
    {"Enumeration", "+IntegerType declaredType!:s start:i4 fixed:b", ""},
    {"Direct", "", "Name=Name*"},
    {"Name", "", "any"},
    {"Implementation", "", "(CoSimulation_StandAlone=StandAlone|CoSimulation_Tool=InTool)"},
    {"StandAlone", "", "Capabilities=Capabilities"},
    {"InTool", "", "Capabilities=Capabilities Model=Model"},
    {"Capabilities",
     "canHandleVariableCommunicationStepSize:b canHandleEvents:b canRejectSteps:b "
     "canInterpolateInputs:b maxOutputDerivativeOrder:u4 canRunAsynchronuously:b "
     "canSignalEvents:b canBeInstantiatedOnlyOncePerProcess:b canNotUseMemoryManagementFunctions:b",
     ""},
    {"Model", "entryPoint!:t manualStart:b type!:t", "File=File*"},
    {"File", "file!:t", ""},
    {NULL, NULL, NULL},
};

const hk_schema_row hk_schema_fmi2[] = {
    {"Root",
     "fmiVersion!:=2.0 modelName!:t guid!:s copyright:t license:t " ABOUT
     "numberOfEventIndicators:u4",
     "(ModelExchange=ModelExchange|CoSimulation=CoSimulation)* UnitDefinitions=Units? "
     "TypeDefinitions=Types? LogCategories=Categories? DefaultExperiment=Experiment? "
     "VendorAnnotations=Annotations? ModelVariables=Variables ModelStructure=Structure"},
    {"Interface",
     "modelIdentifier!:s needsExecutionTool:b canBeInstantiatedOnlyOncePerProcess:b "
     "canNotUseMemoryManagementFunctions:b canGetAndSetFMUstate:b canSerializeFMUstate:b "
     "providesDirectionalDerivative:b",
     ""},
    {"ModelExchange", "+Interface completedIntegratorStepNotNeeded:b", "SourceFiles=Sources?"},
    {"CoSimulation",
     "+Interface canHandleVariableCommunicationStepSize:b canInterpolateInputs:b "
     "maxOutputDerivativeOrder:u4 canRunAsynchronuously:b",
     "SourceFiles=Sources?"},
    {"Sources", "", "File=File+"},
    {"File", "name!:s", ""},
    {"Units", "", "Unit=Unit+"},
    {"Unit", "name!:s", "BaseUnit=BaseUnit? DisplayUnit=DisplayUnit*"},
    {"BaseUnit", BASE_UNIT, ""},
    {"DisplayUnit", "name!:s factor:f8 offset:f8", ""},
    {"Types", "", "SimpleType=Type+"},
    {"Type", "name!:s description:t",
     "(Real=RealType|Integer=IntegerType|Boolean=Empty|String=Empty|Enumeration=EnumerationType)"},
    {"Empty", "", ""},
    {"RealType",
     "quantity:s unit:s displayUnit:s relativeQuantity:b min:f8 max:f8 nominal:f8 unbounded:b", ""},
    {"IntegerType", "quantity:s min:i4 max:i4", ""},
    {"EnumerationType", "quantity:s", "Item=Item+"},
    {"Item", "name!:s value!:i4 description:t", ""},
    {"Categories", "", "Category=Category+"},
    {"Category", "name!:s description:t", ""},
    {"Experiment", "startTime:f8 stopTime:f8 tolerance:f8 stepSize:f8", ""},
    {"Annotations", "", "Tool=Tool+"},
    {"Tool", "name!:s", "any"},
    {"Variables", "", "ScalarVariable=Variable+"},
    {"Variable",
     "name!:s valueReference!:u4 description:t causality:{" CAUSALITIES
     "} variability:{" VARIABILITIES "} initial:{exact|approx|calculated} "
     "canHandleMultipleSetPerTimeInstant:b",
     "(Real=Real|Integer=Integer|Boolean=Boolean|String=String|Enumeration=Enumeration) "
     "Annotations=Annotations?"},
    {"Real", "+RealType declaredType:s start:f8 derivative:u4 reinit:b", ""},
    {"Integer", "+IntegerType declaredType:s start:i4", ""},
    {"Boolean", "declaredType:s start:b", ""},
    {"String", "declaredType:s start:t", ""},
    {"Enumeration", "+IntegerType declaredType!:s start:i4", ""},
    {"Structure", "", "Outputs=Unknowns? Derivatives=Unknowns? InitialUnknowns=Unknowns?"},
    {"Unknowns", "", "Unknown=Unknown+"},
    {"Unknown", "index!:u4 " DEPENDENCIES, ""},
    {NULL, NULL, NULL},
};

#define ANY_VARIABLE "Annotations=Annotations? Dimension=Dimension* "
#define ALL_TYPES(x)                                                                               \
    "(Float32" x "=Float32" x "|Float64" x "=Float64" x "|Int8" x "=Int8" x "|UInt8" x "=UInt8" x  \
    "|Int16" x "=Int16" x "|UInt16" x "=UInt16" x "|Int32" x "=Int32" x "|UInt32" x "=UInt32" x    \
    "|Int64" x "=Int64" x "|UInt64" x "=UInt64" x "|Boolean" x "=Boolean" x "|String" x            \
    "=String" x "|Binary" x "=Binary" x "|Enumeration" x "=Enumeration" x "|Clock" x "=Clock" x    \
    ")"
/* A numeric type and the variables that have it. */
#define NUMBER_ROWS(name, kind)                                                                    \
    {name "Type", "name!:s description:t quantity:s min:" kind " max:" kind,                       \
     "Annotations=Annotations?"},                                                                  \
    {                                                                                              \
        name, "+Variable quantity:s min:" kind " max:" kind " start:[" kind "]",                   \
            ANY_VARIABLE "Alias=Alias*"                                                            \
    }
#define FLOAT_ROWS(name, kind)                                                                     \
    {name "Type", "name!:s description:t +Quantity min:" kind " max:" kind " nominal:" kind,       \
     "Annotations=Annotations?"},                                                                  \
    {                                                                                              \
        name,                                                                                      \
            "+Variable +Quantity min:" kind " max:" kind " nominal:" kind " start:[" kind          \
            "] derivative:u4 reinit:b",                                                            \
            ANY_VARIABLE "Alias=FloatAlias*"                                                       \
    }

const hk_schema_row hk_schema_fmi3[] = {
    {"Root", "fmiVersion!:v modelName!:t instantiationToken!:s copyright:t license:t " ABOUT,
     "ModelExchange=ModelExchange? CoSimulation=CoSimulation? "
     "ScheduledExecution=ScheduledExecution? UnitDefinitions=Units? TypeDefinitions=Types? "
     "LogCategories=Categories? DefaultExperiment=Experiment? ModelVariables=Variables "
     "ModelStructure=Structure Annotations=Annotations?"},
    {"Interface",
     "modelIdentifier!:s needsExecutionTool:b canBeInstantiatedOnlyOncePerProcess:b "
     "canGetAndSetFMUState:b canSerializeFMUState:b providesDirectionalDerivatives:b "
     "providesAdjointDerivatives:b providesPerElementDependencies:b *",
     ""},
    {"ModelExchange", "+Interface needsCompletedIntegratorStep:b providesEvaluateDiscreteStates:b",
     "Annotations=Annotations?"},
    {"CoSimulation",
     "+Interface canHandleVariableCommunicationStepSize:b fixedInternalStepSize:f8 "
     "maxOutputDerivativeOrder:u4 recommendedIntermediateInputSmoothness:i4 "
     "providesIntermediateUpdate:b mightReturnEarlyFromDoStep:b "
     "canReturnEarlyAfterIntermediateUpdate:b hasEventMode:b providesEvaluateDiscreteStates:b",
     "Annotations=Annotations?"},
    {"ScheduledExecution", "+Interface", "Annotations=Annotations?"},
    {"Annotations", "", "Annotation=Annotation+"},
    {"Annotation", "type!:s", "any"},
    {"Units", "", "Unit=Unit+"},
    {"Unit", "name!:s", "BaseUnit=BaseUnit? DisplayUnit=DisplayUnit* Annotations=Annotations?"},
    {"BaseUnit", BASE_UNIT, ""},
    {"DisplayUnit", "name!:s factor:f8 offset:f8 inverse:b", "Annotations=Annotations?"},
    {"Types", "", ALL_TYPES("Type") "+"},
    {"Quantity", "quantity:s unit:s displayUnit:s relativeQuantity:b unbounded:b", ""},
    {"Variable",
     "+AnyVariable intermediateUpdate:b previous:u4 declaredType:s "
     "initial:{exact|approx|calculated}",
     ""},
    {"AnyVariable",
     "name!:s valueReference!:u4 description:t causality:{" CAUSALITIES
     "|structuralParameter} variability:{" VARIABILITIES "} "
     "canHandleMultipleSetPerTimeInstant:b clocks:[u4]",
     ""},
    FLOAT_ROWS("Float32", "f4"),
    FLOAT_ROWS("Float64", "f8"),
    NUMBER_ROWS("Int8", "i1"),
    NUMBER_ROWS("UInt8", "u1"),
    NUMBER_ROWS("Int16", "i2"),
    NUMBER_ROWS("UInt16", "u2"),
    NUMBER_ROWS("Int32", "i4"),
    NUMBER_ROWS("UInt32", "u4"),
    NUMBER_ROWS("Int64", "i8"),
    NUMBER_ROWS("UInt64", "u8"),
    {"BooleanType", "name!:s description:t", "Annotations=Annotations?"},
    {"Boolean", "+Variable start:[b]", ANY_VARIABLE "Alias=Alias*"},
    {"StringType", "name!:s description:t", "Annotations=Annotations?"},
    {"String", "+Variable", ANY_VARIABLE "Start=StringStart* Alias=Alias*"},
    {"StringStart", "value:t", ""},
    {"BinaryType", "name!:s description:t mimeType:s maxSize:n", "Annotations=Annotations?"},
    {"Binary", "+Variable mimeType:s maxSize:n", ANY_VARIABLE "Start=BinaryStart* Alias=Alias*"},
    {"BinaryStart", "value:x", ""},
    {"EnumerationType", "name!:s description:t quantity:s min:i8 max:i8",
     "Annotations=Annotations? Item=Item+"},
    {"Item", "name!:s value!:i8 description:t", "Annotations=Annotations?"},
    {"Enumeration",
     "+AnyVariable intermediateUpdate:b previous:u4 declaredType!:s "
     "initial:{exact|approx|calculated} quantity:s min:i8 max:i8 start:[i8]",
     ANY_VARIABLE "Alias=Alias*"},
    {"ClockFacts",
     "canBeDeactivated:b priority:u4 "
     "intervalVariability!:{constant|fixed|tunable|changing|countdown|triggered} "
     "intervalDecimal:f4 shiftDecimal:f4 supportsFraction:b resolution:u8 intervalCounter:u8 "
     "shiftCounter:u8",
     ""},
    {"ClockType", "name!:s description:t +ClockFacts", "Annotations=Annotations?"},
    {"Clock", "+AnyVariable declaredType:s +ClockFacts", "Annotations=Annotations? Alias=Alias*"},
    {"Dimension", "start:u8 valueReference:u4", ""},
    {"Alias", "name!:s description:t", ""},
    {"FloatAlias", "+Alias displayUnit:s", ""},
    {"Categories", "", "Category=Category+"},
    {"Category", "name!:s description:t", "Annotations=Annotations?"},
    {"Experiment", "startTime:f8 stopTime:f8 tolerance:f8 stepSize:f8", "Annotations=Annotations?"},
    {"Variables", "", ALL_TYPES("") "+"},
    {"Structure", "",
     "Output=Unknown* ContinuousStateDerivative=Unknown* ClockedState=Unknown* "
     "InitialUnknown=Unknown* EventIndicator=Unknown*"},
    {"Unknown", "valueReference!:u4 " DEPENDENCIES, "Annotations=Annotations?"},
    /* sources/buildDescription.xml */
    {"Build", "fmiVersion!:v", "BuildConfiguration=Configuration+ Annotations=Annotations?"},
    {"Configuration", "modelIdentifier!:s platform:s description:t",
     "SourceFileSet=FileSet* Library=Library* Annotations=Annotations?"},
    {"FileSet", "name:s language:s compiler:s compilerOptions:t",
     "SourceFile=SourceFile+ PreprocessorDefinition=Definition* IncludeDirectory=SourceFile* "
     "Annotations=Annotations?"},
    {"SourceFile", "name!:s", "Annotations=Annotations?"},
    {"Definition", "name!:s optional:b value:s description:t",
     "Option=Option* Annotations=Annotations?"},
    {"Option", "value:s description:t", ""},
    {"Library", "name!:s version:s external:b description:t", "Annotations=Annotations?"},
    /* terminalsAndIcons/terminalsAndIcons.xml */
    {"TerminalsAndIcons", "fmiVersion!:v",
     "GraphicalRepresentation=Graphics? Terminals=Terminals? Annotations=Annotations?"},
    {"Graphics", "", "CoordinateSystem=Coordinates? Icon=Corners? Annotations=Annotations?"},
    {"Corners", "x1!:f8 y1!:f8 x2!:f8 y2!:f8", ""},
    {"Coordinates", "+Corners suggestedScalingFactorTo_mm!:f8", ""},
    {"Terminals", "", "Terminal=Terminal+"},
    {"Terminal", "name!:s matchingRule!:s terminalKind:s description:t",
     "TerminalMemberVariable=Member* TerminalStreamMemberVariable=Stream* Terminal=Terminal* "
     "TerminalGraphicalRepresentation=TerminalGraphics? Annotations=Annotations?"},
    {"Member", "variableName!:s memberName:s variableKind!:s", "Annotations=Annotations?"},
    {"Stream",
     "inStreamMemberName!:s outStreamMemberName!:s inStreamVariableName!:s "
     "outStreamVariableName!:s",
     "Annotations=Annotations?"},
    {"TerminalGraphics",
     "+Corners iconBaseName!:t defaultConnectionColor:[u1] defaultConnectionStrokeSize:f8",
     "Annotations=Annotations?"},
    {NULL, NULL, NULL},
};
